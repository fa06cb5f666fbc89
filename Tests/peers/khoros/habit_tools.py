"""How habits are registered, and how they patch the good client."""

import functools

from app import App
from wire import Refused

HABITS = {}
PLAYS = []


def habit(*plays):
    """Register a function as a habit that shows in these plays, each `SCENARIO VARIANT`."""
    def register(patch):
        name = patch.__name__.replace("_", "-")
        HABITS[name] = patch
        PLAYS.extend(f"{play} {name}" for play in plays)
        return patch
    return register


def around(owner, name):
    """Replace a method by one that gets the good one as its first argument."""
    def replace(bad):
        good = getattr(owner, name)
        setattr(owner, name, functools.wraps(good)(lambda *arguments, **options: bad(good, *arguments, **options)))
    return replace


def arm(world, fault):
    world.admin("POST", "faults", {"fault": fault})


def at_the_start(act):
    """Do something to the sandbox before the first app starts."""
    started = []

    @around(App, "start")
    def start(good, app):
        if not started:
            started.append(True)
            act(app.world)
        return good(app)


def try_to(call, *arguments):
    try:
        return call(*arguments)
    except Refused:
        return None
