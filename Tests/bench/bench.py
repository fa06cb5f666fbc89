"""Sparring against bare libmicrohttpd, side by side in one run.

    python3 bench.py SPARRING BARE [--seconds 3] [--rounds 5] [--journal 1000000]

Everything runs on this machine, the load generator too; what counts are the ratios of medians. Needs wrk.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("bare")
parser.add_argument("--seconds", type=int, default=3)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--journal", type=int, default=1_000_000)
arguments = parser.parse_args()
if not shutil.which("wrk"):
    parser.error("wrk is not installed")


def call(url, body=None, method=None):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def start(folder):
    """Starts Sparring and returns the process, its base URL and the seconds from exec to the first answer."""
    ready = os.path.join(folder, "ready.json")
    begun = time.monotonic()
    process = subprocess.Popen(
        [arguments.sparring, "serve", "--port", "0", "--tls-port", "0", "--quiet", "--ready-file", ready, "--ca-folder", folder])
    while not os.path.exists(ready):
        time.sleep(0.001)
    url = "http://127.0.0.1:%d" % json.load(open(ready))["port"]
    urllib.request.urlopen(url + "/__admin/health").read()
    return process, url, time.monotonic() - begun


def resident(process):
    """MiB in use."""
    with open(f"/proc/{process.pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def wrk(url, connections, seconds, script=None):
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"] + (["-s", script] if script else []) + [url]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    return {
        "rps": float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)),
        "p99": float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit],
        "bad": int((re.search(r"Non-2xx or 3xx responses: (\d+)", out) or [0, 0])[1]),
    }


with tempfile.TemporaryDirectory() as folder:
    start(folder)[0].terminate()  # the certificate authority is made on the first run only
    os.remove(os.path.join(folder, "ready.json")) if os.path.exists(os.path.join(folder, "ready.json")) else None
    times = []
    for _ in range(arguments.rounds):
        process, url, seconds = start(folder)
        times.append(seconds)
        idle = resident(process)
        process.terminate()
        process.wait()
    print(f"ready: {statistics.median(times) * 1000:.0f} ms from exec to the first answer (median of {len(times)})")

    process, url, _ = start(folder)
    account = call(url + "/__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]
    token = call(url + "/__admin/sandboxes/default/credentials", {"form": "jwt", "subject": "ada", "lifetime": "10h"})["credential"]
    script = os.path.join(folder, "sign-in.lua")
    with open(script, "w") as lua:
        lua.write('wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = %s\n' % json.dumps(json.dumps({"id_token": token})))
    bare = subprocess.Popen([arguments.bare], stdout=subprocess.PIPE, text=True)
    bare_url = f"http://127.0.0.1:{int(bare.stdout.readline())}/"
    lookup = f"{url}/api/account/{account}/service/idp/baseURI.json?version=1.0"
    sign_in = f"{url}/api/account/{account}/app/default/authenticate?v=2.0"
    rows = [("bare libmicrohttpd", bare_url, None), ("domain lookup", lookup, None), ("sign-in by JWT", sign_in, script)]

    for connections in (1, 64):
        figures = {name: [] for name, _, _ in rows}
        for _ in range(arguments.rounds):
            for name, target, lua in rows:
                figures[name].append(wrk(target, connections, arguments.seconds, lua))
        yardstick = statistics.median(run["rps"] for run in figures["bare libmicrohttpd"])
        print(f"\n{connections} connection{'s' if connections > 1 else ''}: medians of {arguments.rounds} runs of {arguments.seconds} s")
        for name, runs in figures.items():
            rps = statistics.median(run["rps"] for run in runs)
            spread = f"{min(run['rps'] for run in runs):,.0f}–{max(run['rps'] for run in runs):,.0f}"
            bad = sum(run["bad"] for run in runs)
            print(
                f"  {name:20} {rps:>9,.0f} requests/s ({spread})  p99 {statistics.median(run['p99'] for run in runs):7.2f} ms"
                f"  {rps / yardstick:5.2f} × bare" + (f"  {bad} refused!" if bad else ""))
    bare.terminate()

    served = 0
    while served < arguments.journal:
        wrk(lookup, 64, 5)
        metrics = urllib.request.urlopen(url + "/__admin/metrics").read().decode()
        served = sum(int(line.split()[-1]) for line in metrics.splitlines() if line.startswith("sparring_requests_total"))
    print(f"\nresident: {idle:.0f} MiB idle, {resident(process):.0f} MiB after {served:,} journalled requests")
    process.terminate()
    process.wait()
