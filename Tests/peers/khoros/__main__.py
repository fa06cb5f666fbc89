"""A good client of Khoros Brand Messenger tells a story with the mock: python3 khoros SCENARIO --variant V [--habit H]."""

import argparse
import os
import sys
import traceback

from habits import HABITS, PLAYS
from stories import STORIES, makes_sense
from variants import VARIANTS
from world import World


def main():
    parser = argparse.ArgumentParser(prog="khoros")
    parser.add_argument("scenario", nargs="?", choices=STORIES)
    parser.add_argument("--variant", default="ios", choices=VARIANTS)
    parser.add_argument("--habit", choices=HABITS)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--list-habits", action="store_true")
    options = parser.parse_args()
    if options.list:
        for story in STORIES:
            for name, variant in VARIANTS.items():
                if makes_sense(story, variant):
                    print(story, name)
        return 0
    if options.list_habits:
        print("\n".join(PLAYS))
        return 0
    if not options.scenario:
        parser.error("which scenario?")
    world = World(VARIANTS[options.variant], options.habit)
    if options.habit:
        HABITS[options.habit]()
    try:
        STORIES[options.scenario](world)
    except world.shrugged as end:
        print(f"{options.scenario} {options.variant}: with the habit it ends early: {end}", file=sys.stderr)
    except Exception as error:
        if os.environ.get("KHOROS_TRACE"):
            traceback.print_exc()
        print(f"{options.scenario} {options.variant}: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    sys.stdout.flush()
    # Threads that still listen end with the process.
    os._exit(status)
