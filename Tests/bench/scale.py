"""How far one server goes, and what it holds then: idle sockets, sandboxes, a long journal, and hours of sandboxes that come and go.

    scale.py SPARRING sockets [--count 20000]
    scale.py SPARRING sandboxes [--count 5000]
    scale.py SPARRING journal [--count 10000000]    # needs wrk, and some 1.3 kB of disk for each entry
    scale.py SPARRING churn [--minutes 10]          # the sandboxes' clocks run 48 times as fast: eight hours

Memory is the server's private memory. As root, the limit of open files is raised for both sides.
"""

import argparse
import asyncio
import base64
import concurrent.futures
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

WORKERS = 16
TTL = 3  # seconds, of the sandboxes that come and go
SPARE = 50  # seconds within which the server gives spare memory back


class Server:
    def __init__(self, binary, folder, *options):
        self.binary, self.folder, self.options = binary, Path(folder), options
        self.database = self.folder / "sparring.db"
        self.start()

    def start(self):
        ready = self.folder / "ready.json"
        ready.unlink(missing_ok=True)
        began = time.monotonic()
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", "0", "--no-tls", "--quiet", "--database", str(self.database), "--ready-file", str(ready), *self.options],
            stdout=subprocess.DEVNULL)
        while not ready.exists() or not ready.read_text().strip():
            if self.process.poll() is not None:
                sys.exit(f"the server ended with {self.process.returncode}")
            time.sleep(0.01)
        self.took = time.monotonic() - began
        self.port = json.loads(ready.read_text())["port"]
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self):
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        return time.monotonic() - began

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/{path}", data, {"content-type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def private(self):
        """KiB that no other process shares."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            sizes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.rstrip().endswith("kB")}
        return sizes["Private_Dirty"] + sizes["Private_Clean"]

    def files(self):
        """MiB of the database and its log."""
        return sum(file.stat().st_size for file in self.folder.glob("sparring.db*")) / (1 << 20)


async def open_socket(port, path, host):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    writer.write(head.encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    if b" 101 " not in answer.split(b"\r\n")[0]:
        raise RuntimeError(answer.decode()[:300])
    return reader, writer


async def sockets(server, count):
    before = server.private()
    tenant = server.call("GET", "__admin/sandboxes/default")["tenants"]["cxone"]
    path = f"/?brandId={tenant['brandId']}&channelId={tenant['singleThreadChannelId']}&visitorId="
    opened = []
    began = time.monotonic()
    for first in range(0, count, 200):
        opened += await asyncio.gather(*(open_socket(server.port, f"{path}{number}", "127.0.0.1") for number in range(first, min(first + 200, count))))
    took = time.monotonic() - began
    await asyncio.sleep(2)
    now = server.private()
    print(f"{count} idle sockets: {(now - before) / count:.1f} KiB of private memory each ({before / 1024:.0f} MiB before, {now / 1024:.0f} MiB now), opened in {took:.0f} s")
    began = time.monotonic()
    server.call("GET", "__admin/sandboxes/default")
    print(f"a call of the admin API meanwhile: {(time.monotonic() - began) * 1000:.0f} ms")
    for _, writer in opened:
        writer.close()
    await asyncio.sleep(SPARE)
    print(f"{SPARE} s after they were closed: {server.private() / 1024:.0f} MiB")


def sandboxes(server, count):
    before, began = server.private(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for piece in range(0, count, 1000):
            step = time.monotonic()
            size = min(1000, count - piece)
            list(pool.map(lambda number: server.call("POST", "__admin/sandboxes", {"name": f"made-{number}"}), range(piece, piece + size)))
            print(f"  {piece + size}: {(time.monotonic() - step) * 1000 / size:.1f} ms each", flush=True)
    now = server.private()
    print(f"{count} sandboxes: {(now - before) / count:.0f} KiB of private memory each, {server.files() * 1024 / count:.0f} KiB of the file each, made in {time.monotonic() - began:.0f} s")
    stopped = server.stop()
    server.start()
    print(f"stopped in {stopped:.1f} s, started with them in {server.took:.1f} s, {server.private() / 1024:.0f} MiB")
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda number: server.call("DELETE", f"__admin/sandboxes/made-{number}"), range(count)))
    took = time.monotonic() - began
    time.sleep(SPARE)
    print(f"deleted in {took:.0f} s; {SPARE} s later: {server.private() / 1024:.0f} MiB, {server.files():.0f} MiB of files")


def journal(server, count):
    account = server.call("GET", "__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]
    target = f"{server.url}/api/account/{account}/service/idp/baseURI.json?version=1.0"

    def entries():
        text = urllib.request.urlopen(f"{server.url}/__admin/metrics", timeout=120).read().decode()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("sparring_journal_entries "))

    done, began = 0, time.monotonic()
    while done < count:
        step, last = time.monotonic(), done
        subprocess.run(["wrk", "-t1", "-c32", "-d20s", target], stdout=subprocess.DEVNULL, check=True)
        done = entries()
        print(f"  {done:,} entries: {(done - last) / (time.monotonic() - step):,.0f} a second, {server.private() / 1024:.0f} MiB, {server.files():,.0f} MiB of files", flush=True)
    print(f"{done:,} entries in {time.monotonic() - began:.0f} s: {server.private() / 1024:.0f} MiB, {server.files() * (1 << 20) / done:.0f} bytes of the file each")
    step = time.monotonic()
    page = server.call("GET", f"__admin/sandboxes/default/journal?since={done - 10}&limit=10")
    print(f"the newest entries ({len(page['entries'])}) in {(time.monotonic() - step) * 1000:.0f} ms")
    stopped = server.stop()
    server.start()
    print(f"stopped in {stopped:.1f} s, started in {server.took:.1f} s, {server.private() / 1024:.0f} MiB")


def churn(server, minutes):
    end = time.monotonic() + minutes * 60
    made = [0]
    lock = threading.Lock()

    def work(worker):
        number = 0
        while time.monotonic() < end:
            number += 1
            sandbox = server.call("POST", "__admin/sandboxes", {"ttl": f"{TTL}s", "clock": {"mode": "rate", "rate": 48}})
            account = sandbox["tenants"]["liveperson"]["accountId"]
            for _ in range(20):
                server.call("GET", f"api/account/{account}/service/idp/baseURI.json?version=1.0")
            credential = server.call("POST", f"__admin/sandboxes/{sandbox['id']}/credentials", {"form": "code", "subject": "ada"})["credential"]
            server.call("POST", f"api/account/{account}/app/default/authenticate?v=2.0", {"code": credential})
            with lock:
                made[0] += 1

    samples = []
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        workers = [pool.submit(work, worker) for worker in range(4)]
        while time.monotonic() < end:
            time.sleep(min(15, max(0.1, end - time.monotonic())))
            there = len(server.call("GET", "__admin/sandboxes")["sandboxes"])
            samples.append((server.private() / 1024, server.files()))
            print(f"  {made[0]:,} sandboxes made, {there} there: {samples[-1][0]:.0f} MiB, {samples[-1][1]:.0f} MiB of files", flush=True)
        for each in workers:
            each.result()
    quarter = max(1, len(samples) // 4)
    early, late = samples[quarter:2 * quarter] or samples, samples[-quarter:]
    mean = lambda part, which: sum(each[which] for each in part) / len(part)  # noqa: E731
    print(
        f"{made[0]:,} sandboxes in {minutes} minutes ({minutes * 48 / 60:.0f} hours by their clocks): memory {mean(early, 0):.0f} MiB in the second quarter, "
        f"{mean(late, 0):.0f} MiB in the last; files {mean(early, 1):.0f} and {mean(late, 1):.0f} MiB")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sparring")
    options.add_argument("part", choices=["sockets", "sandboxes", "journal", "churn"])
    options.add_argument("--count", type=int)
    options.add_argument("--minutes", type=float, default=10)
    given = options.parse_args()
    wanted = 65536
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(hard, wanted)))
    except ValueError:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        limits = {"journal": ("--journal-limit", "20000000", "--journal-size", "65536"), "sockets": ("--max-connections", "30000")}
        server = Server(given.sparring, folder, *limits.get(given.part, ()))
        try:
            if given.part == "sockets":
                asyncio.run(sockets(server, given.count or 20_000))
            elif given.part == "sandboxes":
                sandboxes(server, given.count or 5000)
            elif given.part == "journal":
                journal(server, given.count or 10_000_000)
            else:
                churn(server, given.minutes)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
