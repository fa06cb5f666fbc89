"""Good clients of every vendor are recorded: each archive is imported without a finding and replayed without a difference, with its credentials and without
them; and a scan finds none in the one without.

    recordings.py --binary SPARRING              # one client of each vendor that is quickly played
    recordings.py --binary SPARRING --all        # every client, in some minutes

Prints a line for each client; the exit status is 1 where something was not so.
"""

import argparse
import concurrent.futures
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
RATE = "10"
# Stories in which the vendor itself answers as its contract has it.
SAMPLE = [
    ("ios", "brand-requires-pkce"), ("android", "duplicate-push"), ("cxone", "two-threads"), ("khoros", "second-device-joins"), ("asapp", "message-while-in-chat")]
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


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--all", action="store_true", help="every client")
    options.add_argument("--keep", help="a folder for the archives")
    given = options.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(given.keep or folder)
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for line in pool.map(lambda play: record(given.binary, folder, *play), SAMPLE + REST if given.all else SAMPLE):
                failed += line.startswith("FAILED")
                print(line, flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
