"""The command line of each client: python3 CLIENT SCENARIO --variant V [--habit H], or --list."""

import argparse
import asyncio
import os
import sys
import traceback


def run(name, stories, variants, habits, fits):
    """Tells one story and ends the process with 0, or with 1 and the reason on standard error.

    `stories` has a coroutine function for each scenario, called with the variant and the habit's name or `None`; `fits` says whether a variant
    can tell a story. `habits` has words for each bad habit.
    """
    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("scenario", nargs="?", choices=stories)
    parser.add_argument("--variant", default=next(iter(variants)), choices=variants)
    parser.add_argument("--habit", choices=habits)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for scenario in stories:
            for variant in variants:
                if fits(scenario, variants[variant]):
                    print(scenario, variant)
        return
    if not options.scenario:
        parser.error("which scenario?")
    status = 0
    try:
        asyncio.run(stories[options.scenario](variants[options.variant], options.habit))
    except Exception as error:
        if os.environ.get("SECOND_TRACE"):
            traceback.print_exc()
        print(f"{options.scenario} {options.variant}: {type(error).__name__}: {error}", file=sys.stderr)
        status = 1
    sys.stderr.flush()
    os._exit(status)
