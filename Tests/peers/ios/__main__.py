"""python ios SCENARIO [--variant NAME], or python ios --list."""
import argparse
import os
import sys
import traceback
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))  # for the habits, which both clients share

import habits  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="ios")
    parser.add_argument("scenario", nargs="?")
    parser.add_argument("--variant", default="plain")
    parser.add_argument("--habit", choices=[*habits.HABITS], help="a bad habit; without it the client is a good one")
    parser.add_argument("--list", action="store_true", help="print every scenario and variant that make sense together")
    given = parser.parse_args()
    if given.list:
        from variants import pairs
        print("\n".join(f"{scenario} {variant}" for scenario, variant in pairs()))
        return 0
    from play import Play
    habits.take(given.habit)
    try:
        Play(given.scenario, given.variant).run()
        return 0
    except Exception as failure:
        traceback.print_exc()
        print(f"the story cannot be played: {failure!r}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # threads that listen for pushes are not waited for
