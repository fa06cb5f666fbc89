"""Many consumers talk at once over their sockets, and each message is followed to its end: nothing may be lost, doubled or out of order.

    python messaging.py SPARRING [--vendor liveperson] [--consumers 1000] [--rate 500] [--seconds 60] [--second-devices 100] [--processes 1] [--echo]

What a vendor's clients say and hear is in the module of its name. With --echo LivePerson's agent has the script "echo": it accepts and reads each message and says it again, as due work without delay on the
sandbox's clock, which runs as the wall clock does. The rate stays that of the consumers.

Starts the server itself, with a database file. Prints rates, latencies and what both sides cost. The exit status is 1 where anything went
wrong, with a line for each case. Server and client share this machine. Needs the packages of Tests/peers/requirements.txt.
"""

import argparse
import contextlib
import importlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter

import requests

from load import Plan, work

parser = argparse.ArgumentParser()
parser.add_argument("sparring")
parser.add_argument("--vendor", choices=["liveperson", "cxone"], default="liveperson", help="whose clients talk")
parser.add_argument("--consumers", type=int, default=1000)
parser.add_argument("--rate", type=float, default=500, help="messages per second of all consumers together")
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--second-devices", type=int, default=100, help="how many of the consumers have a second socket")
parser.add_argument("--processes", type=int, default=1, help="how many processes the consumers are spread over")
parser.add_argument("--fault", action="append", default=[], help="for the server: shows what it looks like when something goes wrong")
parser.add_argument(
    "--echo", nargs="?", type=lambda text: json.loads(text) if text[:1] == "[" else text, const="echo", metavar="SCRIPT",
    help="an agent answers each message with the same text; another script in its place shows what it looks like when one does not")
arguments = parser.parse_args()
vendor = importlib.import_module(arguments.vendor)
if arguments.echo is not None and not vendor.ECHOED_EVENTS:
    parser.error(f"--echo: no agent of {arguments.vendor} echoes")

PAGE = 5000
SHOWN = 20
http = requests.Session()
http.trust_env = False


@contextlib.contextmanager
def server(folder, journal_limit):
    """Its process and base URL."""
    ready = os.path.join(folder, "ready.json")
    command = [arguments.sparring, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready]
    command += ["--database", os.path.join(folder, "sparring.db"), "--journal-limit", str(journal_limit), "--journal-size", "4096"]
    for fault in arguments.fault:
        command += ["--fault", fault]
    process = subprocess.Popen(command)
    try:
        while not os.path.exists(ready):
            if process.poll() is not None:
                sys.exit(f"the server did not start: exit status {process.returncode}")
            time.sleep(0.001)
        with open(ready) as file:
            yield process, "http://127.0.0.1:%d" % json.load(file)["port"]
    finally:
        process.terminate()
        process.wait()


def cpu(process):
    """Seconds of processor time so far."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process):
    """MiB in use now, and at most so far."""
    with open(f"/proc/{process.pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return [int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]


def journal(url, **query):
    """All entries that match."""
    since = 0
    while True:
        answer = http.get(f"{url}/__admin/sandboxes/default/journal", params={**query, "since": since, "limit": PAGE}, timeout=120)
        answer.raise_for_status()
        page = answer.json()
        if not page["entries"]:
            return
        yield from page["entries"]  # fewer than asked for where they are long
        since = page["next"]


def check_journal(url, plan, told):
    """Nothing was pruned, broke the contract or is still to be done, and there is once what the vendor's module says."""
    if pruned := http.get(f"{url}/__admin/sandboxes/default/journal", params={"limit": 1}, timeout=120).json()["pruned"]:
        yield f"the journal was too short: {pruned} entries were pruned, so that it cannot be judged"
        return
    yield from vendor.check_journal(plan, lambda **query: journal(url, **query), told)
    if plan.echoes and (pending := http.get(f"{url}/__admin/sandboxes/default/clock", timeout=30).json()["pending"]):
        yield f"{len(pending)} things are still to be done: {pending[0]}"
    for entry in journal(url, kind="finding"):
        yield f"finding {entry['number']}: {entry['cause']} {entry.get('findings', '')}"


def latency(name, seconds):
    if not seconds:
        return print(f"  {name:24} none")
    cuts = statistics.quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else seconds * 99
    print(f"  {name:24} p50 {cuts[49] * 1000:7.2f} ms   p99 {cuts[98] * 1000:7.2f} ms   max {max(seconds) * 1000:7.2f} ms")


def together(results):
    """What the processes found, as one."""
    told = {"answered": {}, "notified": Counter(), "steps": Counter()}
    whole = {"wrongs": [], "responses": [], "notifications": [], "echoes": [], "lateness": [], "heard": 0, "cpu": [], "sending": 0, "hearing": 0}
    whole["told"] = told
    for result in results:
        for name in ("wrongs", "responses", "notifications", "echoes", "lateness", "heard"):
            whole[name] += result[name]
        whole["cpu"].append(result["cpu"])
        for name in ("sending", "hearing"):
            whole[name] = max(whole[name], result[name])
        for name, seen in told.items():
            seen.update(result[name])
    return whole


def run(folder):
    second_devices = min(arguments.second_devices, arguments.consumers)
    messages = round(arguments.rate * arguments.seconds)
    plan = Plan(arguments.vendor, arguments.consumers, second_devices, arguments.rate, messages, arguments.processes, arguments.echo is not None)
    sockets = plan.consumers + plan.second_devices
    with server(folder, 2 * (10 * sockets + vendor.entries(plan) * plan.messages)) as (process, url):
        wanted = vendor.configuration(plan, arguments.echo)
        http.patch(f"{url}/__admin/sandboxes/default/tenants/{arguments.vendor}", json=wanted, timeout=30).raise_for_status()
        tenant = http.get(f"{url}/__admin/sandboxes/default", timeout=30).json()["tenants"][arguments.vendor]
        begun = time.monotonic()
        idle = memory(process)[0]
        workers = []
        for share in range(plan.processes):
            here, there = multiprocessing.Pipe()
            worker = multiprocessing.Process(target=work, args=(there, plan, share, url, tenant), daemon=True)
            worker.start()
            there.close()
            workers.append(here)
        if wrongs := sum((channel.recv() for channel in workers), []):
            return report(wrongs)
        print(f"{sockets:,} sockets of {plan.consumers:,} consumers opened in {time.monotonic() - begun:.1f} s", flush=True)
        before, begin = cpu(process), time.monotonic() + 0.2
        for channel in workers:
            channel.send(begin)
        for channel in workers:
            channel.recv()  # all has been said and heard
        took, used = time.monotonic() - begin, cpu(process) - before
        resident, most = memory(process)
        for channel in workers:
            channel.send("compare")
        whole = together([channel.recv() for channel in workers])
        wrongs = whole["wrongs"] + list(check_journal(url, plan, whole["told"]))

    heard, echoes = whole["heard"], len(whole["echoes"])
    if whole["sending"] > 0.1 + 1.02 * plan.messages / plan.rate:
        wrongs.append(f"the client did not keep its rate: {plan.messages} messages took {whole['sending']:.1f} s")
    if whole["hearing"] > whole["sending"] + 1:
        wrongs.append(f"the server did not keep up: the last arrived {whole['hearing'] - whole['sending']:.1f} s after the last was sent")
    print(
        f"{plan.messages:,} messages and {heard:,} notifications in {whole['hearing']:.1f} s: "
        f"{plan.messages / whole['hearing']:,.0f} sent, {heard / whole['hearing']:,.0f} received per second"
        + (f", {echoes / whole['hearing']:,.0f} of them echoes" if plan.echoes else ""))
    latency("publish → response", whole["responses"])
    latency("publish → notification", whole["notifications"])
    if plan.echoes:
        latency("publish → echo", whole["echoes"])
    latency("sent later than planned", whole["lateness"])
    print(f"  client: {' + '.join(f'{100 * seconds / took:.0f} %' for seconds in whole['cpu'])} of a processor")
    print(f"  server: {100 * used / took:.0f} % of a processor, {used / plan.messages * 1e6:.0f} µs for each message, resident {idle:.0f} MiB idle, {resident:.0f} MiB at the end, {most:.0f} at most")
    if not wrongs:
        print("every message is there once, in order: in its answer, at each socket, in its history and in the journal")
    return report(wrongs)


def report(wrongs):
    """The exit status."""
    for line in wrongs[:SHOWN]:
        print(f"WRONG {line}")
    if len(wrongs) > SHOWN:
        print(f"WRONG … and {len(wrongs) - SHOWN} more")
    return 1 if wrongs else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(run(temporary))
