"""What a start costs, in instructions: they do not depend on what else the machine does. Counted by callgrind from the first instruction of an installed
tree to the end that follows the first answer.

    start.py .build-test/debug/sparring --limit 1200                   # millions; fails above
    start.py .build-test/debug/sparring --times 10                     # the spread
    start.py .build-dist/release/sparring -- --vendor liveperson
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def install(binary, prefix):
    """As `make install` does: a stripped binary with what belongs to it, which it has checked."""
    make = ["make", "--no-print-directory", "--directory", ROOT, f"PREFIX={prefix}", "DESTDIR="]
    subprocess.run([*make, "copy", f"BINARY={Path(binary).resolve()}"], check=True, stdout=subprocess.DEVNULL)
    # valgrind would read the debug information: for minutes.
    subprocess.run(["strip", "--strip-debug", prefix / "bin/sparring"], check=True)
    subprocess.run([*make, "stamp"], check=True, stdout=subprocess.DEVNULL)
    return prefix / "bin/sparring"


def wait(file, process):
    deadline = time.monotonic() + 300
    while not file.exists() or not file.read_text().strip():
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the server did not start: {process.returncode}")
        time.sleep(0.1)
    return re.search(r'"port" *: *(\d+)', file.read_text())[1]


def instructions(binary, options, folder):
    """Millions of a start, an answer and an end."""
    ready, out = folder / "ready.json", folder / "callgrind.out"
    ready.unlink(missing_ok=True)
    # Swift's hashing has a new seed in each process.
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", LD_PRELOAD=str(folder / "sigsuspend.so"))
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", binary, "serve", "--no-tls", "--port", "0", "--ready-file", ready]
    process = subprocess.Popen([*command, *options], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    port = wait(ready, process)
    urllib.request.urlopen(f"http://127.0.0.1:{port}/__admin/health").read()
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    if process.returncode not in (0, -signal.SIGTERM):
        sys.exit(f"the server ended with {process.returncode}:\n{errors.decode()[-2000:]}")
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", help="sparring, linked with a build id")
    parser.add_argument("--limit", type=float, help="millions of instructions")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("options", nargs="*", help="of `sparring serve`")
    given = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("valgrind is needed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "sigsuspend.so", HERE / "sigsuspend.c"], check=True)
        binary = install(given.binary, folder / "installed")
        counts = [instructions(binary, given.options, folder) for _ in range(given.times)]
    print(f"a start takes {', '.join(f'{count:.0f}' for count in counts)} million instructions" + (f" of {given.limit:.0f}" if given.limit else ""))
    if given.limit and max(counts) > given.limit:
        sys.exit("a start costs more than it may: Tests/start/start.py says how it is counted; callgrind_annotate shows where")


if __name__ == "__main__":
    main()
