"""Good clients of every vendor are recorded: each archive is imported without a finding and replayed without a difference, with its credentials and without
them; and a scan finds none in the one without. Then they are recorded by `sparring record`, which passes their calls on to a second Sparring.

    recordings.py --binary SPARRING              # one client of each vendor that is quickly played
    recordings.py --binary SPARRING --all        # every client, in some minutes

Prints a line for each client; the exit status is 1 where something was not so.
"""

import argparse
import concurrent.futures
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
RATE = "10"
# Stories in which the vendor itself answers as its contract says.
SAMPLE = [
    ("ios", "brand-requires-pkce"), ("android", "duplicate-push"), ("cxone", "two-threads"), ("khoros", "second-device-joins"), ("asapp", "message-while-in-chat")]
# Without a timeline and faults: both Sparrings are made of the scenario, and only one may act.
RELAYED = [("ios", "brand-requires-pkce"), ("cxone", "two-threads"), ("khoros", "second-device-joins")]
RELAYED_REST = [
    ("android", "redirect-uri-with-trailing-slash"), ("asapp", "session-ends-in-chat"), ("talkdesk", "token-expires-mid-interaction"),
    ("second/cxone", "two-threads")]
# With the brand's own backends.
VENDORS = (
    "identity", "liveperson", "liveperson.DeepLinks", "liveperson.Push", "liveperson.Webhooks", "cxone", "khoros", "asapp", "asapp.CustomerBackend",
    "talkdesk", "talkdesk.Backend")
REST = [
    ("bot", "bot-session-ends"), ("talkdesk", "token-lifetime-changes"), ("second/liveperson", "brand-requires-pkce"), ("second/cxone", "two-threads"),
    ("second/khoros", "second-device-joins"), ("second/asapp", "message-while-in-chat"), ("second/talkdesk", "token-lifetime-changes")]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, check=False, **options)


def variant(client, scenario):
    listed = run(sys.executable, HERE / client, "--list").stdout.splitlines()
    return next(line.split()[1] for line in listed if line.split()[0] == scenario)


def record(binary, folder, client, scenario):
    """Plays, exports, imports and replays; returns what there is to say."""
    began = time.monotonic()
    name = client.replace("/", "-")
    database, archive, raw = folder / f"{name}.db", folder / f"{name}.har", folder / f"{name}-with-credentials.har"
    played = run(binary, "run", "--scenario", scenario, "--rate", RATE, "--time-basis", "sandbox", "--database", database, "--",
                 sys.executable, HERE / client, scenario, "--variant", variant(client, scenario))
    problems = [] if database.exists() else [played.stderr[-300:]]
    for file, words in (archive, []), (raw, ["--with-credentials"]):
        made = run(binary, "contract", "export", "har", *words, "--database", database)
        file.write_text(made.stdout)
        if made.returncode:
            problems.append(f"export: {made.stderr}")
    scanned = run(binary, "scan", archive)
    if scanned.returncode:
        problems.append(f"a scan finds {scanned.stdout[:300]}")
    if "eyJ" in raw.read_text() and not run(binary, "scan", raw).returncode:
        problems.append("a scan finds nothing in what has credentials")
    calls = []
    for file in archive, raw:
        done = run(binary, "import", "--json", "--coverage", file)
        report = json.loads(done.stdout or "{}")
        calls.append(report.get("calls"))
        # What the vendor refuses on a socket breaks no contract.
        findings = [finding["words"] for finding in report.get("contract", {}).get("findings", []) if finding["weight"] != "refused"]
        if done.returncode or findings or done.stderr:
            problems.append(f"import of {file.name}: {done.returncode} {findings[:3]} {done.stderr[:300]}")
        again = run(binary, "replay", file)
        if again.returncode or "the replay is as the recording" not in again.stdout or "not done again" in again.stdout:
            problems.append(f"replay of {file.name}: {again.returncode} {again.stdout[:600]} {again.stderr[:300]}")
    if not calls[0] or calls[0] != calls[1]:
        problems.append(f"calls: {calls}")
    took = time.monotonic() - began
    return f"{'FAILED' if problems else 'ok'} {client} {scenario}: {calls[0]} calls, {took:.0f} s " + "; ".join(problems)


def relay(binary, folder, client, scenario):
    """Records a client and a second Sparring; returns what there is to say."""
    began = time.monotonic()
    name = "relayed-" + client.replace("/", "-")
    archive, config, ready = folder / f"{name}.har", folder / f"{name}.yaml", folder / f"{name}-ready.json"
    config.write_text(f"sandboxes: [{{ name: default, seed: 7, scenario: {scenario}, clock: {{ mode: rate, rate: {RATE} }} }}]\n")
    words = [binary, "serve", "--port", "0", "--no-tls", "--config", config, "--ready-file", ready]
    vendor = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        while not ready.exists() or not ready.read_text().strip():
            if vendor.poll() is not None or time.monotonic() - began > 60:
                return f"FAILED {client} {scenario}: the second Sparring did not start"
            time.sleep(0.05)
        url = f"http://127.0.0.1:{json.loads(ready.read_text())['port']}"
        helper = [sys.executable, HERE / "elsewhere.py"]
        targets = [word for part in VENDORS for word in ("--to", f"{part}={url}")]
        recorded = run(
            binary, "record", *targets, "--config", config, "--out", archive, "--acts", f"{shlex.join(map(str, helper))} act {url}", "--",
            *helper, "play", url, sys.executable, HERE / client, scenario, "--variant", variant(client, scenario))
    finally:
        vendor.terminate()
        vendor.wait()
    if not archive.exists():
        return f"FAILED {client} {scenario}: {recorded.returncode} {recorded.stderr[-600:]}"
    problems = [f"drift: {recorded.stderr[-600:]}"] if "the vendor" in recorded.stderr else []
    if recorded.returncode:
        problems.append(f"record: {recorded.returncode} {recorded.stdout[-300:]} {recorded.stderr[-600:]}")
    if url in archive.read_text():
        problems.append("the client was given the vendor's own address")
    scanned = run(binary, "scan", archive)
    if scanned.returncode:
        problems.append(f"a scan finds {scanned.stdout[:300]}")
    again = run(binary, "replay", archive, "--config", config)
    if again.returncode or "the replay is as the recording" not in again.stdout or "not done again" in again.stdout:
        problems.append(f"replay: {again.returncode} {again.stdout[:1500]} {again.stderr[:300]}")
    learnt = run(binary, "learn", archive, "--config", config)
    if "There is nothing to propose" not in learnt.stdout:
        problems.append(f"learn: {learnt.stdout[:600]} {learnt.stderr[:300]}")
    took = time.monotonic() - began
    return f"{'FAILED' if problems else 'ok'} relayed {client} {scenario}: {took:.0f} s " + "; ".join(problems)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--all", action="store_true", help="every client")
    options.add_argument("--only-relayed", action="store_true", help="only those that are passed on")
    options.add_argument("--keep", help="a folder for the archives")
    given = options.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(given.keep or folder)
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for line in pool.map(lambda play: record(given.binary, folder, *play), [] if given.only_relayed else SAMPLE + REST if given.all else SAMPLE):
                failed += line.startswith("FAILED")
                print(line, flush=True)
            for line in pool.map(lambda play: relay(given.binary, folder, *play), RELAYED + RELAYED_REST if given.all else RELAYED):
                failed += line.startswith("FAILED")
                print(line, flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
