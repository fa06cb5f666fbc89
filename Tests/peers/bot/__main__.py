"""A bot of an agent, written by others: it knows LivePerson's documents and the contract, and nothing of the rules that judge it.

    python Tests/peers/bot --list
    python Tests/peers/bot bot-session-ends --variant sdk

Plays one scenario and exits with 0 where it has got, or got back, a socket that stays open; with 1 where it has not.
"""

import argparse
import random
import sys

from bot import Bot
from failures import Failure, GaveUp
from habits import HABITS, BadBot
from sandbox import Sandbox
from variants import VARIANTS

SCENARIOS = ("bot-login-is-down", "bot-login-is-throttled", "bot-loses-its-socket", "bot-session-ends", "slow-network")
STAYS = 40  # seconds that a socket has to last, time for a sign of life
LIVES = {"bot-session-ends": 90}  # at least, so that the session ends within its life


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", choices=SCENARIOS)
    parser.add_argument("--variant", choices=VARIANTS, default="plain")
    parser.add_argument("--habit", choices=HABITS)
    parser.add_argument("--list", action="store_true", help="what can be played")
    options = parser.parse_args()
    if options.list or not options.scenario:
        print("\n".join(f"{scenario} {variant}" for scenario in SCENARIOS for variant in VARIANTS))
        return
    parts = Sandbox(), VARIANTS[options.variant], random.Random(f"{options.scenario} {options.variant}")
    bot = BadBot(options.habit, *parts) if options.habit else Bot(*parts)
    try:
        bot.live(STAYS, LIVES.get(options.scenario, 0))
    except (GaveUp, Failure) as error:
        sys.exit(f"the bot did not get there: {error}")


if __name__ == "__main__":
    main()
