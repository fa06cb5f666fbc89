"""What faults cost: throughput with 1,000 armed against none, and how exactly a delay is kept.

    python3 faults.py SPARRING [--seconds 3] [--rounds 5]

Everything runs on this machine, the load generator too; what counts is the ratio of medians. Needs wrk.
"""

import argparse
import json
import os
import re
import select
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("--seconds", type=int, default=3)
parser.add_argument("--rounds", type=int, default=5)
arguments = parser.parse_args()
if not shutil.which("wrk"):
    parser.error("wrk is not installed")

# No multiple of 128: where exactly so many connections become readable at once, libmicrohttpd 0.9.75 asks epoll again before it serves them, and waits.
CONCURRENT, REPEATS, DELAY = 250, 8, 0.1


def call(path, body=None, method=None):
    request = urllib.request.Request(url + path, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def arm(*texts):
    for text in texts:
        call("/__admin/sandboxes/default/faults", {"fault": text})


def disarm():
    call("/__admin/sandboxes/default/faults", method="DELETE")


def throughput():
    out = subprocess.run(
        ["wrk", "-t1", "-c64", f"-d{arguments.seconds}s", url + lookup], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))


def threads():
    with open(f"/proc/{process.pid}/status") as status:
        return int(re.search(r"Threads:\s+(\d+)", status.read()).group(1))


def delayed():
    """Seconds that each of many concurrent calls took, and the server's threads while all of them waited."""
    host, port = url.split("//")[1].split(":")
    connections = {}
    # Without a framework: asyncio itself is 8 ms late with so many answers at once.
    poll = select.epoll()
    for _ in range(CONCURRENT):
        connection = socket.create_connection((host, int(port)))
        connections[connection.fileno()] = connection
        poll.register(connection, select.EPOLLIN)
    request = f"GET {lookup} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    took, most = [], 0
    for turn in range(REPEATS + 1):
        if turn == 1:
            took = []  # so many connections at once take memory that the process has not touched before
        begun = {}
        for number, connection in connections.items():
            begun[number] = time.perf_counter()
            connection.sendall(request)
        most = max(most, threads())
        while begun:
            for number, _ in poll.poll():
                head = connections[number].recv(65536)
                took.append(time.perf_counter() - begun.pop(number))
                if not head.startswith(b"HTTP/1.1 200 ") or b"\r\n\r\n{" not in head:
                    raise SystemExit(f"a delayed call was answered {head!r}")
    for connection in connections.values():
        connection.close()
    return took, most


with tempfile.TemporaryDirectory() as folder:
    ready = os.path.join(folder, "ready.json")
    process = subprocess.Popen([arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready])
    while not os.path.exists(ready):
        time.sleep(0.01)
    url = "http://127.0.0.1:%d" % json.load(open(ready))["port"]
    account = call("/__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]
    lookup = f"/api/account/{account}/service/idp/baseURI.json?version=1.0"
    throughput()  # warm

    sets = {
        "none": [],
        "1,000, each for another subject": [f"liveperson.lookUpService status code=503 subject=user-{n}" for n in range(1000)],
        "1,000 elsewhere, one looked at": [f"liveperson.authenticateV2 token-expired subject=user-{n}" for n in range(999)]
        + ["liveperson.lookUpService status code=503 probability=0"],
    }
    figures = {name: [] for name in sets}
    for _ in range(arguments.rounds):
        for name, faults in sets.items():
            arm(*faults)
            figures[name].append(throughput())
            disarm()
    print(f"64 connections, domain lookup: medians of {arguments.rounds} runs of {arguments.seconds} s")
    yardstick = statistics.median(figures["none"])
    for name, runs in figures.items():
        median = statistics.median(runs)
        print(f"  {name:32} {median:>9,.0f} requests/s ({min(runs):,.0f}–{max(runs):,.0f})  {median / yardstick:5.2f} × none")

    idle = threads()
    arm(f"liveperson.lookUpService delay by={DELAY * 1000:.0f}ms")
    took, most = delayed()
    late = sorted((t - DELAY) * 1000 for t in took)
    print(f"{len(took):,} calls, {CONCURRENT} at once, each delayed by {DELAY * 1000:.0f} ms:")
    print(
        f"  late by p50 {late[len(late) // 2]:.2f} ms, p99 {late[len(late) * 99 // 100]:.2f} ms, at most {late[-1]:.2f} ms;"
        f" earliest {late[0]:+.2f} ms; threads: {idle} idle, {most} with {CONCURRENT} waiting")
    process.terminate()
    process.wait()
