"""Runs the fuzzer on each target, two at a time, and says how far it came.

    python3 fuzz.py FUZZER [--seconds 600] [--targets head,json,…] [--jobs 2] [--replay]

First every input of fixtures/fuzz is tried once; then libFuzzer makes more, beginning with those and with what earlier runs found new ways with
(.build-fuzz/corpus). An input that crashes, hangs or breaks a promise is written to fixtures/fuzz/<target>/crash-<hash>, as a script that people can
read where that does the same, so that `make test` tries it from then on. The exit status is 1 where there was any, or where an operation was not reached.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ["head", "json", "form", "request", "message", "token", "yaml", "row"]
LENGTHS = {"head": 8192, "json": 4096, "form": 4096, "request": 2048, "message": 2048, "token": 4096, "yaml": 8192, "row": 512}
# Decisions (Choices.swift) that take each operation once as its contract says, so that none is left to chance: its number; or a conversation that an
# agent has taken, one of two sockets, and a message's number; or a further socket and a message on it.
PLAIN = {
    "request": [bytes([number]) for number in range(256)],
    "message": [bytes([3, 0, socket, 0, number]) for socket in range(2) for number in range(80)]
    + [bytes([3, 200, opener, 0, 0, 2, 0, number]) for opener in range(8) for number in range(160)],
}
KEPT = 10  # failures of a target at most, so that one that is met all the time does not fill the folder

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("fuzzer")
parser.add_argument("--seconds", type=int, default=600, help="for each target")
parser.add_argument("--targets", default=",".join(TARGETS))
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--replay", action="store_true", help="only try what is kept")
arguments = parser.parse_args()
arguments.fuzzer = Path(arguments.fuzzer).resolve()


class Run:
    """One target, from its first input to its last."""

    def __init__(self, target):
        self.target = target
        self.kept = ROOT / "fixtures" / "fuzz" / target
        self.work = arguments.fuzzer.parents[2] / "fuzzing" / target
        self.corpus = self.work / "corpus"
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.log = self.work / "log.txt"
        self.trace, self.reached_file = self.work / "trace.jsonl", self.work / "reached.txt"
        self.inputs = self.edges = self.features = self.all_edges = 0
        self.seconds = 0.0
        self.failures, self.reached, self.missing, self.answers = [], set(), set(), 0

    def call(self, options, folder, timeout=None):
        """Exit status and output."""
        environment = {
            **os.environ, "SPARRING_FUZZ_TARGET": self.target, "SPARRING_FUZZ_TRACE": str(self.trace), "SPARRING_FUZZ_REACHED": str(self.reached_file),
            # Else Swift's own handler ends the process before libFuzzer has written the input down.
            "SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder}
        self.trace.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                [arguments.fuzzer, f"-artifact_prefix={folder}/", "-timeout=60", "-rss_limit_mb=3000", *options], env=environment, cwd=folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout, check=False)
            status, text = done.returncode, done.stderr.decode("utf-8", "replace")
        except subprocess.TimeoutExpired as expired:
            status, text = -1, (expired.stderr or b"").decode("utf-8", "replace") + "\nFAILED it did not end"
        with open(self.log, "a") as log:
            log.write(text)
        return status, text

    def take_reached(self):
        if self.reached_file.exists():
            for line in self.reached_file.read_text().splitlines():
                kind, name = line.split(" ", 1)
                if kind == "answers":
                    self.answers = max(self.answers, int(name))
                else:
                    (self.reached if kind == "reached" else self.missing).add(name)

    @staticmethod
    def reason(text):
        """In a line, what went wrong."""
        for pattern in (r"FAILED (.*)", r"(?:Fatal error: )(.*)", r"ERROR: libFuzzer: (.*)"):
            if found := re.search(pattern, text):
                return found[1][:300]
        return "it ended without a word"

    def replay(self, folder):
        """The inputs that hold."""
        sound = []
        for path in sorted(self.kept.iterdir()) if self.kept.exists() else []:
            status, text = self.call([str(path)], folder, timeout=180)
            if status:
                self.failures.append(f"{path.name}: {self.reason(text)}")
            else:
                sound.append(path)
        return sound

    def keep(self, folder, text):
        """Writes down what failed: as a script where that fails too."""
        found = [path for path in Path(folder).iterdir() if path.name.split("-")[0] in ("crash", "timeout", "oom")]
        for path in found:
            data, suffix = path.read_bytes(), ""
            if self.target != "row" and self.trace.exists() and self.trace.stat().st_size:
                script = Path(folder) / "script.jsonl"
                shutil.copy(self.trace, script)
                if self.call([str(script)], folder, timeout=180)[0]:
                    data, suffix = script.read_bytes(), ".jsonl"
            name = f"crash-{hashlib.sha256(data).hexdigest()[:12]}{suffix}"
            self.kept.mkdir(parents=True, exist_ok=True)
            (self.kept / name).write_bytes(data)
            self.failures.append(f"{name}: {self.reason(text)}")
            path.unlink()
        if not found:
            self.failures.append(f"(no input was written) {self.reason(text)}")

    def fuzz(self):
        self.log.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            seeds = Path(folder) / "seeds"
            seeds.mkdir()
            for path in self.replay(folder):
                shutil.copy(path, seeds)
            for number, data in enumerate(PLAIN.get(self.target, [])):
                (seeds / f"plain-{number}").write_bytes(data)
            dictionary = Path(__file__).parent / f"{self.target}.dict"
            begun = time.monotonic()
            while not arguments.replay and (left := begun + arguments.seconds - time.monotonic()) > 1 and len(self.failures) < KEPT:
                options = [f"-max_total_time={int(left)}", "-print_final_stats=1", f"-max_len={LENGTHS[self.target]}", "-len_control=20"]
                if dictionary.exists():
                    options.append(f"-dict={dictionary}")
                status, text = self.call([*options, str(self.corpus), str(seeds)], folder)
                self.count(text)
                self.take_reached()
                if status:
                    self.keep(folder, text)
            self.seconds = time.monotonic() - begun
        return self

    def count(self, text):
        if found := re.search(r"stat::number_of_executed_units:\s*(\d+)", text):
            self.inputs += int(found[1])
        for edges, features in re.findall(r"cov: (\d+) ft: (\d+)", text)[-1:]:
            self.edges, self.features = max(self.edges, int(edges)), max(self.features, int(features))
        if found := re.search(r"\((\d+) inline 8-bit counters\)", text):
            self.all_edges = int(found[1])

    def lines(self):
        rate = self.inputs / self.seconds if self.seconds else 0
        yield (
            f"  {self.target:8} {self.inputs:>12,} {rate:>10,.0f} {self.edges:>8,} {100 * self.edges / max(1, self.all_edges):>5.1f} % "
            f"{self.features:>9,} {len(self.failures):>8}")
        for failure in self.failures:
            yield f"           {failure}"

    def not_reached(self):
        return sorted(self.missing - self.reached)


def main():
    targets = arguments.targets.replace(",", " ").split()
    if unknown := set(targets) - set(TARGETS):
        sys.exit(f"no target is {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    print(f"  {'target':8} {'inputs':>12} {'inputs/s':>10} {'edges':>8} {'of all':>7} {'features':>9} {'failures':>8}", flush=True)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for run in pool.map(lambda target: Run(target).fuzz(), targets):
            print(*run.lines(), sep="\n", flush=True)
            failed |= bool(run.failures)
            if run.target in ("request", "message") and not arguments.replay:
                if missing := run.not_reached():
                    print(f"           not reached: {', '.join(missing)}")
                    failed = True
                else:
                    print(f"           all {len(run.reached)} operations were reached, with {run.answers} different answers")
    print("FAILED: see above" if failed else "nothing found")
    return failed


if __name__ == "__main__":
    sys.exit(main())
