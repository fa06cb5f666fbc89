"""Brittle clients by others: the judge of variations finds the one mistake of each, and shrinks it to one change, within 50 runs and two minutes.

    brittle.py --binary SPARRING [CLIENT...]     # those of brittle/brittle.json; without names all that can be run here

Prints a line for each client; the exit status is 1 where something was not so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent / "brittle"
RATE, SEED, RUNS, SECONDS = "10", "7", 50, 120
FAMILIES = {
    "absent": "V1", "unknown-member": "V4", "unknown-value": "V5", "odd-item": "V7", "length": "V9", "time": "V12", "content-type": "V18",
    "framing": "V19", "frames": "V20", "repeats": "V22", "keys": "V24", "tokens": "V25"}
# What else a client breaks on by the same mistake.
ALSO = {"twice.py": {"V7"}}


def words(given, folder):
    return [word.replace("{out}", str(folder)) for word in given]


def judge(binary, client, folder):
    """Builds, judges; returns what there is to say against the judge."""
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if "build" in client:
        built = subprocess.run(words(client["build"], folder), cwd=HERE, capture_output=True, text=True, check=False)
        if built.returncode:
            return [f"it cannot be built: {built.stderr[-300:]}"], ""
    report = folder / "report.json"
    began = time.monotonic()
    done = subprocess.run(
        [binary, "run", "--rate", RATE, "--vary", SEED, "--max-runs", str(RUNS), "--max-time", f"{SECONDS}s", "--vary-file", folder / "vary.json",
         "--json-report", report, "--", *words(client["run"], folder)],
        cwd=HERE, env=environment, capture_output=True, text=True, timeout=4 * SECONDS, check=False)
    took = time.monotonic() - began
    if not report.exists():
        return [f"{done.returncode}: {done.stderr[-400:]}"], ""
    variation = json.loads(report.read_text())["variations"][0]
    family = FAMILIES[client["family"]]
    found = {finding["family"]: finding for finding in variation["findings"]}
    problems = []
    if done.returncode != 1:
        problems.append(f"exit status {done.returncode} {variation['headline']}")
    if family not in found:
        problems.append(f"{family} was not found, but {sorted(found)}")
    elif len(found[family]["changes"]) != 1:
        problems.append(f"{len(found[family]['changes'])} changes")
    elif client["place"].lower() not in found[family]["sentence"].lower():
        problems.append(f"another cause: {found[family]['sentence']}")
    if others := set(found) - {family} - ALSO.get(client["client"], set()):
        problems.append(f"found besides: {[found[other]['sentence'] for other in others]}")
    if variation["runs"] > RUNS or took > SECONDS + 20:
        problems.append(f"it took {variation['runs']} runs and {took:.0f} s")
    return problems, f"{variation['runs']} runs, {took:.0f} s: {found.get(family, {}).get('sentence', '')}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("clients", nargs="*")
    given = options.parse_args()
    failed = 0
    for client in json.loads((HERE / "brittle.json").read_text()):
        if given.clients and client["client"] not in given.clients:
            continue
        tool = client.get("build", client["run"])[0]
        if not given.clients and not shutil.which(tool):
            print(f"left out {client['client']}: there is no {tool} here", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            problems, outcome = judge(str(Path(given.binary).resolve()), client, Path(folder))
        failed += bool(problems)
        print(f"{'FAILED' if problems else 'ok'} {client['client']}: {outcome} " + "; ".join(problems), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
