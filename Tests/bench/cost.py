"""What one request costs: processor time, as a multiple of bare libmicrohttpd's in the same run, and allocations.

    python3 cost.py SPARRING BARE COUNTER [--seconds 3] [--rounds 3] [--pact COMMAND] [--wiremock JAR] [--mockserver JAR]

Processor time is the process's own, from /proc, so that the load generator and what else runs on the machine count little; requests per second do not
have that quality. Sparring keeps its journal in a database file; each row has a server of its own, so that none pays for what another has written. COUNTER is allocations.c as a library. A peer is measured where its command is found
(`pact`, of PyPI's pact-python-cli) or its jar is given: it answers the domain lookup with the same bytes, and keeps no journal. Needs wrk.
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

from cart import CART

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("bare")
parser.add_argument("counter")
parser.add_argument("--seconds", type=int, default=3)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--calls", type=int, default=500, help="over how many calls allocations are counted")
parser.add_argument("--pact", default=shutil.which("pact"), metavar="COMMAND")
parser.add_argument("--wiremock", metavar="JAR")
parser.add_argument("--mockserver", metavar="JAR")
arguments = parser.parse_args()
if not shutil.which("wrk"):
    parser.error("wrk is not installed")


class Row:
    def __init__(self, name, method, path, body=None, authorization=None):
        self.name, self.method, self.path = name, method, path
        self.body = None if body is None else json.dumps(body)
        self.headers = {} if body is None else {"Content-Type": "application/json"}
        if authorization:
            self.headers["Authorization"] = authorization

    def script(self, folder, port):
        """For wrk; None where its defaults do."""
        if self.method == "GET" and not self.headers:
            return None
        path = os.path.join(folder, f"{port}.lua")
        with open(path, "w") as lua:
            lua.write(f'wrk.method = "{self.method}"\n')
            lua.writelines(f'wrk.headers["{name}"] = {json.dumps(value)}\n' for name, value in self.headers.items())
            if self.body:
                lua.write(f"wrk.body = {json.dumps(self.body)}\n")
        return path


def call(url, body=None):
    request = urllib.request.Request(url, data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


@contextlib.contextmanager
def running(command, **options):
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def sparring(folder, **environment):
    """The process and its port."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        ready = os.path.join(own, "ready.json")
        command = [
            arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready, "--ca-folder", folder, "--database",
            os.path.join(own, "sparring.db")]
        with running(command, env={**os.environ, **environment}) as process:
            while not os.path.exists(ready):
                if process.poll() is not None:
                    raise SystemExit(f"the server ended with {process.returncode}")
                time.sleep(0.01)
            yield process, json.load(open(ready))["port"]


def rows(port):
    url = f"http://127.0.0.1:{port}"
    account = call(url + "/__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]
    mint = {"form": "jwt", "subject": "ada", "lifetime": "10h"}
    token = call(url + "/__admin/sandboxes/default/credentials", mint)["credential"]
    bearer = call(f"{url}/api/account/{account}/app/default/authenticate?v=2.0", {"id_token": token})["jwt"]
    return [
        Row("domain lookup", "GET", f"/api/account/{account}/service/idp/baseURI.json?version=1.0"),
        Row("push registration", "PUT", f"/mock/pusher/account/{account}/registrations/app", {"deviceToken": "ab" * 32, "pushType": "APNS"}, f"Bearer {bearer}"),
        Row("cart of 20 products", "POST", f"/api/account/{account}/app/1/engagement?v=1.0", {"consumerId": "ada", "engagementAttributes": [CART]}),
        Row("sign-in by JWT", "POST", f"/api/account/{account}/app/default/authenticate?v=2.0", {"id_token": token}),
        Row("a token of the brand's", "POST", "/__admin/sandboxes/default/credentials", mint),
        Row("admin: the sandbox", "GET", "/__admin/sandboxes/default"),
    ]


def processor_time(process):
    """Seconds so far."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(process, url, connections, script):
    """Microseconds of processor time for each request, requests per second, and how many were refused."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{arguments.seconds}s"] + (["-s", script] if script else []) + [url]
    before = processor_time(process)
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    spent = processor_time(process) - before
    served = int(re.search(r"(\d+) requests in", out).group(1))
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    return spent / max(1, served) * 1e6, served / arguments.seconds, int(refused.group(1)) if refused else 0


def count_allocations(folder):
    told = os.path.join(folder, "allocations")
    with sparring(folder, LD_PRELOAD=os.path.abspath(arguments.counter), SPARRING_ALLOCATIONS=told) as (process, port):
        connection = http.client.HTTPConnection("127.0.0.1", port)

        def play(row, times):
            for _ in range(times):
                connection.request(row.method, row.path, body=row.body, headers=row.headers)
                answer = connection.getresponse()
                answer.read()
                if answer.status >= 300:
                    raise SystemExit(f"{row.name}: {answer.status}")

        def counted():
            size = os.path.getsize(told) if os.path.exists(told) else 0
            os.kill(process.pid, signal.SIGUSR2)
            while not os.path.exists(told) or os.path.getsize(told) <= size:
                time.sleep(0.002)
            return [int(number) for number in open(told).read().split("\n")[-2].split()]

        counts = {}
        for row in rows(port):
            play(row, 100)
            before = counted()
            play(row, arguments.calls)
            counts[row.name] = [(after - earlier) / arguments.calls for after, earlier in zip(counted(), before)]
        return counts


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def peers(folder, lookup, body):
    """Name, process and URL of each that is installed."""
    port = free_port()
    found = []
    path, query = lookup.path.split("?")
    with contextlib.ExitStack() as stack:
        if arguments.pact:
            name, value = query.split("=")
            interaction = {
                "description": "a domain lookup", "request": {"method": "GET", "path": path, "query": {name: [value]}},
                "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": body},
            }
            file = os.path.join(folder, "lookup.json")
            with open(file, "w") as pact:
                json.dump({
                    "consumer": {"name": "app"}, "provider": {"name": "liveperson"}, "interactions": [interaction],
                    "metadata": {"pactSpecification": {"version": "3.0.0"}}}, pact)
            found.append(("Pact's stub", stack.enter_context(
                running([arguments.pact, "stub", "--file", file, "--port", str(port), "--loglevel", "none"], stdout=subprocess.DEVNULL)), port))
        if arguments.wiremock:
            port = free_port()
            os.makedirs(os.path.join(folder, "wiremock", "mappings"))
            with open(os.path.join(folder, "wiremock", "mappings", "lookup.json"), "w") as mapping:
                json.dump({"request": {"method": "GET", "url": lookup.path}, "response": {"status": 200, "jsonBody": body}}, mapping)
            command = ["java", "-jar", arguments.wiremock, "--port", str(port), "--root-dir", os.path.join(folder, "wiremock"), "--no-request-journal"]
            found.append(("WireMock", stack.enter_context(running(command, stdout=subprocess.DEVNULL)), port))
        if arguments.mockserver:
            port = free_port()
            expectation = os.path.join(folder, "expectation.json")
            with open(expectation, "w") as file:
                json.dump([{"httpRequest": {"method": "GET", "path": path}, "httpResponse": {"statusCode": 200, "body": body}}], file)
            command = ["java", f"-Dmockserver.initializationJsonPath={expectation}", "-Dmockserver.logLevel=OFF", "-jar", arguments.mockserver, "-serverPort", str(port)]
            found.append(("MockServer", stack.enter_context(running(command, stdout=subprocess.DEVNULL)), port))
        for name, process, port in found:
            url = f"http://127.0.0.1:{port}{lookup.path}"
            for _ in range(300):
                with contextlib.suppress(OSError):
                    if call(url) == body:
                        break
                time.sleep(0.1)
            else:
                raise SystemExit(f"{name} does not answer the lookup")
        yield [(name, process, f"http://127.0.0.1:{port}{lookup.path}") for name, process, port in found]


with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
    counts = count_allocations(folder)
    bare = stack.enter_context(running([arguments.bare], stdout=subprocess.PIPE, text=True))
    targets = [("bare libmicrohttpd", bare, f"http://127.0.0.1:{int(bare.stdout.readline())}/", None)]
    for number, name in enumerate(counts):
        process, port = stack.enter_context(sparring(folder))
        row = rows(port)[number]
        targets.append((name, process, f"http://127.0.0.1:{port}{row.path}", row.script(folder, port)))
        if number == 0:
            lookup, body = row, call(f"http://127.0.0.1:{port}{row.path}")
    targets += [(f"{name}: domain lookup", other, url, None) for name, other, url in stack.enter_context(peers(folder, lookup, body))]
    for _, process, url, script in targets:
        measure(process, url, 64, script)
    for connections in (64, 1):
        figures = {name: [] for name, *_ in targets}
        for _ in range(arguments.rounds):
            for name, target, url, script in targets:
                figures[name].append(measure(target, url, connections, script))
        median = {name: statistics.median(time for time, *_ in runs) for name, runs in figures.items()}
        yardstick = median["bare libmicrohttpd"]
        print(f"{connections} connection{'s' if connections > 1 else ''}: processor time for a request, medians of {arguments.rounds} runs of {arguments.seconds} s")
        for name, runs in figures.items():
            spread = f"{min(time for time, *_ in runs):,.1f}–{max(time for time, *_ in runs):,.1f}"
            refused = sum(refused for *_, refused in runs)
            taken = f"  {counts[name][0]:6.1f} allocations, {counts[name][1] / 1000:6.1f} kB" if name in counts else ""
            print(
                f"  {name:28} {median[name]:>8,.1f} µs ({spread})  {median[name] / yardstick:6.1f} × bare{taken}"
                + (f"  {refused} refused!" if refused else ""))
        signature = max(0, median["a token of the brand's"] - median["admin: the sandbox"])
        rest = median["sign-in by JWT"] - signature
        print(f"  sign-in without its signature: about {rest:,.0f} µs, {rest / yardstick:.1f} × bare (a signature takes some {signature:,.0f} µs)\n")
