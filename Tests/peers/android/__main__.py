"""Plays one scenario as a good app on Android: python3 android SCENARIO [--variant NAME], or --list."""
import argparse
import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))  # for the habits, which both clients share

import habits  # noqa: E402
from sandbox import StoryFailed  # noqa: E402
from stage import Stage, UserLeaves  # noqa: E402
from stories import PKCE_BRANDS, PLAYS  # noqa: E402
from variants import VARIANTS  # noqa: E402


async def play(scenario, options):
    """Tells the story to its end, or to where the user leaves."""
    if scenario in PKCE_BRANDS:
        options = replace(options, flow="pkce")
    stage = Stage(options)
    try:
        await stage.play(PLAYS[scenario][0])
        if options.two_users:
            await stage.second_user()
    except UserLeaves as reason:
        print(f"the user leaves: {reason}", file=sys.stderr)
    await stage.end()


def main():
    parser = argparse.ArgumentParser(prog="android", description=__doc__)
    parser.add_argument("scenario", nargs="?", choices=[*PLAYS])
    parser.add_argument("--variant", default="plain", choices=[*VARIANTS])
    parser.add_argument("--habit", choices=[*habits.HABITS], help="a bad habit; without it the client is a good one")
    parser.add_argument("--list", action="store_true", help="every scenario with every variant that makes sense in it")
    given = parser.parse_args()
    if given.list:
        for scenario, (_, names) in PLAYS.items():
            for name in names:
                print(scenario, name)
        return 0
    if not given.scenario:
        parser.error("which scenario?")
    habits.take(given.habit)
    try:
        asyncio.run(play(given.scenario, VARIANTS[given.variant]))
    except StoryFailed as failure:
        print(f"{given.scenario} {given.variant}: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush(), sys.stdout.flush()
    os._exit(status)  # calls that hang in threads are not waited for
