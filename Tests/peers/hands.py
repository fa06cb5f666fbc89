"""Plays the clients that were written by others, and holds the verdicts to them: what a good client does fails no rule, and leaves nothing
untold that a scenario expects; with a bad habit it breaks exactly the rules that habits.json has for it.

    hands.py --binary .build-test/debug/sparring            # one variant of each scenario and client
    hands.py --binary .build-test/debug/sparring --all      # every variant
    hands.py … --client ios --scenario pusher-down-for-31s --variant jitter
    hands.py … --habits                                # the bad habits
    hands.py … --sample                                # one client for each scenario (with --habits: one habit for each rule)
    hands.py … --vary 7:V5                             # varied answers, in one scenario for each variant
    hands.py … --vary families                         # each family of tiers 1 and 2 alone
    hands.py … --vary seeds                            # all of them at once, by 20 seeds
    hands.py … --vary 7 --sample                       # one scenario and variant for each client
    hands.py … --habits --habit retries-at-once --client android
"""

import argparse
import concurrent.futures
import contextlib
import json
import sys
import tempfile
import threading
import time
import zlib

from habits import HABITS
from kinds import Kinds
from plays import HERE, RATE, Play, Server, all_plays, perform


# One at a time: whatever connects to the server's stalling port is in the journal of every sandbox that has such a fault.
STALLING = "tls-handshake-stalls"
stalling = threading.Lock()


def perform_apart(server, play, *rest, **options):
    """As perform, but never two plays that stall at once."""
    with stalling if play.scenario == STALLING else contextlib.nullcontext():
        return perform(server, play, *rest, **options)


def one_each(plays):
    """Of each client and scenario one variant: always the same, and not always the plain one."""
    by_scenario = {}
    for play in plays:
        by_scenario.setdefault((play.client, play.scenario), []).append(play)
    return [variants[zlib.crc32(f"{key}".encode()) % len(variants)] for key, variants in by_scenario.items()]


def one_of_each_scenario(plays):
    """One client for each scenario, and not always the same."""
    by_scenario = {}
    for play in one_each(plays):
        by_scenario.setdefault(play.scenario, []).append(play)
    return [those[zlib.crc32(scenario.encode()) % len(those)] for scenario, those in by_scenario.items()]


def one_of_each_variant(plays):
    """One scenario for each client's variant."""
    by_variant = {}
    for play in plays:
        by_variant.setdefault((play.client, play.variant), []).append(play)
    return [those[zlib.crc32(f"{key}".encode()) % len(those)] for key, those in by_variant.items()]


def one_of_each_client(plays):
    """One scenario and variant for each client."""
    by_client = {}
    for play in plays:
        by_client.setdefault(play.client, []).append(play)
    return [those[zlib.crc32(client.encode()) % len(those)] for client, those in by_client.items()]


def varied(plays, vary):
    """The plays with what is varied: the variations that are named, or each of several."""
    wild = (2, 3, 11, 14, 15, 16, 28, 29)
    families = [f"7:V{number}" for number in range(1, 28) if number not in wild]
    several = {"families": families, "seeds": [str(seed) for seed in range(1, 21)]}
    return [play._replace(vary=each) for each in several.get(vary, [vary]) for play in plays]


def one_for_each_rule(rows):
    """Few of these bad habits, which together break every rule that all of them break."""
    chosen, left = [], set().union(*(row.breaks | row.advised for row in rows))
    while left:
        chosen.append(max(rows, key=lambda row: len((row.breaks | row.advised) & left)))
        left -= chosen[-1].breaks | chosen[-1].advised
    return chosen


def against_the_good(play, report, ended):
    """What is to be said against the verdicts on a good client, or against the client."""
    complaints = [ended] if ended else []
    for verdict in report["verdicts"]:
        result = verdict["result"]
        # A client that sends no marks cannot be seen to do what only a mark shows.
        is_unmarked = "no-marks" in play.variant and "mark" in verdict["summary"] + verdict["says"]
        is_missed = verdict["expected"] and result in ("not-exercised", "undecided", "excused") and not is_unmarked
        if result in ("fail", "inconclusive") or is_missed:
            complaints.append(f"{result} {verdict['rule']}: {verdict['summary']}")
    broken = [finding["words"] for finding in report["contract"]["findings"] if finding["weight"] == "fail"]
    return complaints + [f"contract: {words}" for words in broken]


class Row:
    """What a client with a habit breaks in a scenario."""

    def __init__(self, given):
        self.play = Play(given["client"], given["scenario"], given.get("variant", "plain"), given["habit"])
        self.breaks, self.advised, self.doubted = (set(given.get(name, [])) for name in ("breaks", "advice", "doubts"))

    def against(self, play, report, ended):
        """What is to be said against the verdicts: a bad client need not end well, but it must break just its rules."""
        found = {"fail": set(), "advice": set(), "inconclusive": set()}
        for verdict in report["verdicts"]:
            found.get(verdict["result"], set()).add(verdict["rule"])
        different = {
            "not broken": self.breaks - found["fail"],
            "broken besides": found["fail"] - self.breaks,
            "not advised": self.advised - found["advice"],
            "advised besides": found["advice"] - self.advised,
            "not doubted": self.doubted - found["inconclusive"],
            "cannot be judged": found["inconclusive"] - self.doubted,
        }
        told = "; ".join(f"{what}: {', '.join(sorted(rules))}" for what, rules in different.items() if rules)
        return [told, *filter(None, [ended])] if told else []


def play_all(options, judges):
    """Plays all of them, and prints what is judged wrongly. Returns the number of plays that were judged wrongly, and of those that were so at first only."""
    failed = once = 0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        with contextlib.ExitStack() as stack:
            stack.callback(server.stop)
            pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(options.jobs))
            running = {
                pool.submit(perform_apart, server, play, number, judge, options.time_basis, options.journals, kinds=options.kinds): play
                for number, (play, judge) in enumerate(judges, 1)
            }
            wrong = [(running[done], done.result()) for done in concurrent.futures.as_completed(running) if done.result()]
            for number, (play, complaints) in enumerate(wrong, len(judges) + 1):
                # A busy machine may make a client a fiftieth of a second too early or too late, so the play is repeated alone. A bad client also
                # gets more time.
                for again, slower in enumerate((2, 5) if play.habit else (1,)):
                    print(f"{play} is played again: {'; '.join(complaints)}", flush=True)
                    complaints = perform(
                        server, play, number * 10 + again, dict(judges)[play], options.time_basis, options.journals, RATE / slower, options.kinds)
                    if not complaints:
                        once += 1
                        break
                if complaints:
                    failed += 1
                    told = f"{play}: {HABITS.get(play.habit, play.habit)}" if play.habit else f"{play}"
                    print(f"{told}\n    " + "\n    ".join(complaints), flush=True)
    return failed, once


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="sparring")
    parser.add_argument("--all", action="store_true", help="every variant")
    parser.add_argument("--sample", action="store_true", help="one client for each scenario, one habit for each rule")
    parser.add_argument("--habits", action="store_true", help="clients with bad habits, as habits.json has them")
    parser.add_argument("--time-basis", choices=["sandbox", "wall"], default="sandbox", help="the clock that plays are judged by")
    parser.add_argument("--jobs", type=int, default=6, help="plays at a time")
    parser.add_argument("--journals", help="a folder for the verdicts and journals of what is judged wrongly")
    parser.add_argument("--kinds", type=Kinds, help="a file where what is played of each rule is noted (kinds.py)")
    for name in ("client", "scenario", "variant", "habit"):
        parser.add_argument(f"--{name}", help=f"only of this {name}")
    parser.add_argument("--vary", help="vary what clients are sent: SEED, SEED:V5, families or seeds")
    options = parser.parse_args()
    wanted = {name: getattr(options, name) for name in ("client", "scenario", "variant", "habit") if getattr(options, name)}
    def is_wanted(play):
        return all(getattr(play, name) == value for name, value in wanted.items())

    if options.habits:
        rows = [row for row in map(Row, json.loads((HERE / "habits.json").read_text())["rows"]) if is_wanted(row.play)]
        judges = [(row.play, row.against) for row in (one_for_each_rule(rows) if options.sample else rows)]
    else:
        plays = list(filter(is_wanted, all_plays()))
        if options.vary:
            plays = varied((one_of_each_client if options.sample else one_of_each_variant)(plays), options.vary)
        elif options.sample:
            plays = one_of_each_scenario(plays)
        elif not options.all and "variant" not in wanted:
            plays = one_each(plays)
        judges = [(play, against_the_good) for play in plays]
    if not judges:
        sys.exit("there is nothing to play")
    started = time.monotonic()
    failed, once = play_all(options, judges)
    if options.kinds:
        options.kinds.write()
    what = "plays of clients with bad habits" if options.habits else "plays of good clients"
    print(f"{len(judges)} {what}, {failed} judged wrongly, {once} at first only, {time.monotonic() - started:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
