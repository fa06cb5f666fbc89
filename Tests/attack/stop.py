"""SIGTERM in the middle of everything: how long the server takes to end, and what it leaves behind.

    python3 stop.py SPARRING [--rounds 20] [--grace 1] [--jobs 2] [--only WORD] [--list]

In each situation of situations.py the server is asked to stop, `rounds` times, every other time with a database of its own. It must have ended
within its grace and a second, with status 0, and have removed its ready file and its temporary database; what a given database keeps must stand
in one file; none of its processes may live on. A second signal must end it within a second. The exit status is 1 where it was not so.
"""

import argparse
import concurrent.futures
import os
import signal
import statistics
import sys
import tempfile
import time

import situations
from server import Server

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sparring")
parser.add_argument("--rounds", type=int, default=20)
parser.add_argument("--grace", type=int, default=1)
parser.add_argument("--jobs", type=int, default=2, help="situations that are tried at the same time")
parser.add_argument("--only", action="append", default=[], help="situations with this word in their names")
parser.add_argument("--list", action="store_true", help="print the situations")
arguments = parser.parse_args()

SLACK = 1  # seconds above the grace
GIVE_UP = 15  # seconds above the grace after which a server is killed


def try_once(situation, number):
    """Seconds that the end took, nil where it did not come; and what was wrong, in words."""
    grace = situation.grace or arguments.grace
    options = ["--grace", str(grace), *situation.options]
    with Server(arguments.sparring, *options, tls=situation.tls, database=number % 2 == 1) as server:
        with situation.set_up(server):
            server.signal(situation.number)
            begun = time.monotonic()
            if situation.second:
                time.sleep(0.3)
                if server.process.poll() is not None:
                    return None, ["it had ended before the second signal: nothing was tried"]
                server.signal(situation.number)
                begun = time.monotonic()
            status = server.wait(GIVE_UP if situation.second else grace + GIVE_UP)
            took = time.monotonic() - begun
        if status is None:
            return None, [f"went on for {took:.0f} s, and left {', '.join(server.left_behind()) or 'nothing'}"]
        wrong = []
        limit = SLACK if situation.second else grace + SLACK
        if took > limit:
            wrong.append(f"took {took:.2f} s, above {limit} s")
        # After a second signal, the status may be the signal's own.
        allowed = [0, -situation.number, 128 + situation.number] if situation.second else [0]
        if status not in allowed:
            wrong.append(f"exit status {status}: {server.said()}")
        left = server.left_behind()
        if situation.second:  # the process ends as it stands: the log stays beside the database, and the next start moves it
            left = [name for name in left if not name.endswith(("-wal", "-shm"))]
        if left:
            wrong.append("left " + ", ".join(left))
        return took, wrong


def play(situation):
    """Its line, and whether all went well."""
    times, wrongs = [], []
    for number in range(arguments.rounds):
        try:
            took, wrong = try_once(situation, number)
        except (OSError, RuntimeError) as error:
            took, wrong = None, [f"could not be tried: {error}"]
        if took is not None:
            times.append(took)
        wrongs += wrong
        if took is None and len(times) == 0 and number == 2:
            break  # it never ends: three times say as much as twenty
    figures = f"{min(times):5.2f} {statistics.median(times):6.2f} {max(times):6.2f}" if times else "    –      –      –"
    line = f"  {'ok    ' if not wrongs else 'FAILED'} {situation.name:52} {figures}"
    for what in sorted(set(wrongs))[:3]:
        line += f"\n           {wrongs.count(what)} × {what}"
    return line, not wrongs


def main():
    chosen = [one for one in situations.ALL if not arguments.only or any(word in one.name for word in arguments.only)]
    if arguments.list:
        print(*(one.name for one in chosen), sep="\n")
        return 0
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with tempfile.TemporaryDirectory(prefix="attack-ca-") as authority:
        os.environ["ATTACK_CA"] = authority
        if any(one.tls for one in chosen):
            Server(arguments.sparring, tls=True).close()  # makes the authority, once
        print(f"SIGTERM, {arguments.rounds} rounds, grace {arguments.grace} s: seconds to the end, least, median, most", flush=True)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for line, is_good in pool.map(play, chosen):
                failed += not is_good
                print(line, flush=True)
    if failed:
        print(f"FAILED: {failed} of {len(chosen)} situations")
        return 1
    print(f"stopped in time in all {len(chosen)} situations, and left nothing behind")
    return 0


if __name__ == "__main__":
    sys.exit(main())
