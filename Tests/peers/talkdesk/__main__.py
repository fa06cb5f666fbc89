"""A good client of Talkdesk's mobile SDK authorization: the app with its SDK, or the brand's backend."""

import argparse
import sys

import requests

import habits
import habits_backend  # noqa: F401, it registers its habits
import stories
import variants


def main():
    parser = argparse.ArgumentParser(prog="talkdesk")
    parser.add_argument("scenario", nargs="?")
    parser.add_argument("--variant")
    parser.add_argument("--habit")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--list-habits", action="store_true")
    options = parser.parse_args()
    if options.list:
        for play in variants.plays():
            print(*play)
        return 0
    if options.list_habits:
        for play in habits.plays():
            print(*play)
        return 0
    if (options.scenario, options.variant) not in set(variants.plays()):
        parser.error("no such play")
    if options.habit:
        habits.take_on(options.habit)
    try:
        variants.play(options.scenario, options.variant)
    except stories.NotTold as error:
        print("%s %s: %s" % (options.scenario, options.variant, error), file=sys.stderr)
        # A bad client may break its own story off. What it did until then is what counts.
        return 0 if options.habit else 1
    except (requests.RequestException, RuntimeError) as error:
        print("%s %s: %s" % (options.scenario, options.variant, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
