"""Play a story as a good client of ASAPP's, or as one with a bad habit."""

import argparse
import os
import sys
import traceback

from stories import STORIES, makes_sense, play
from variants import VARIANTS


def main():
    parser = argparse.ArgumentParser(prog="asapp", description=__doc__)
    parser.add_argument("scenario", nargs="?", choices=sorted(STORIES))
    parser.add_argument("--variant", default="ios", choices=list(VARIANTS))
    parser.add_argument("--habit")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--list-habits", action="store_true")
    options = parser.parse_args()
    if options.list:
        for scenario in STORIES:
            for variant in VARIANTS.values():
                if makes_sense(scenario, variant):
                    print(scenario, variant.name)
        return 0
    if options.list_habits:
        import habits
        for habit in habits.HABITS.values():
            for scenario, variant in habit.plays:
                print(scenario, variant, habit.name)
        return 0
    if not options.scenario:
        parser.error("which scenario?")
    try:
        habit = None
        if options.habit:
            import habits
            habit = habits.HABITS[options.habit]
            habit.adopt()
        play(options.scenario, VARIANTS[options.variant], habit)
    except Exception as error:  # any failure ends the story
        last = traceback.extract_tb(error.__traceback__)
        place = next((frame for frame in reversed(last) if "stories" in frame.filename), last[-1])
        print(f"{options.scenario} {options.variant}: {type(error).__name__}: {error} (line {place.lineno}, {place.name})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # the phone's listener still waits for pushes
