"""A chat client for NICE CXone that tells a story: python3 cxone SCENARIO --variant NAME."""

import argparse
import asyncio
import os
import sys
import traceback

import habits
from errors import ChatError, Stuck
from listing import SCENARIOS, lines
from person import Ended, Person
from variants import Variant


async def tell(scenario, variant):
    """Tells one story to its end."""
    person = Person(variant)
    story = SCENARIOS[scenario][0]
    try:
        await asyncio.wait_for(story(person), 170)
    except (Ended, ChatError) as end:
        person.notice(f"the story ends: {end}")
    except asyncio.TimeoutError:
        raise Stuck("the story came to no end") from None
    await asyncio.wait_for(person.goes_home(), 10)


def main():
    """Reads the command line; the exit status."""
    parser = argparse.ArgumentParser(prog="cxone", description=__doc__)
    parser.add_argument("scenario", nargs="?", choices=sorted(SCENARIOS), metavar="SCENARIO")
    parser.add_argument("--variant", default="ios-single")
    parser.add_argument("--habit", choices=sorted(habits.HABITS), help="a bad habit; without it the client is a good one")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(lines()))
        return 0
    if not arguments.scenario:
        parser.error("which scenario?")
    if arguments.habit:
        habits.take(arguments.habit)
    try:
        asyncio.run(tell(arguments.scenario, Variant(arguments.variant, arguments.scenario)))
    except (Stuck, ValueError) as problem:
        print(f"client: {problem}", file=sys.stderr)
        return 1
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
