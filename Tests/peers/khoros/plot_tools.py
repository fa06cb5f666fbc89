"""What the stories have in common."""

import secrets

from app import App
from world import StoryFailed

USER = "mia"


def must(condition, what):
    if not condition:
        raise StoryFailed(what)


def should(world, condition, what):
    """As `must`, but a client with a bad habit goes on."""
    must(condition or world.shrugged, what)


def begin(world, hint=USER, **options):
    app = App(world, hint, **options)
    if world.variant.logs_out:
        app.sign_in()
    must(app.start(), "the app is not active")
    must(app.log_in(), "the login failed")
    app.open()
    return app


def join_on_tablet(world, app):
    """The second device of the variant that has two."""
    if not world.variant.two_devices:
        return None
    tablet = begin(world, app.hint, device="tablet")
    should(world, tablet.has("Hello"), "the tablet does not show the conversation")
    return tablet


def end(*apps):
    for app in apps:
        if app and app.variant.logs_out:
            app.log_out()
        elif app:
            app.close()


def push_token(world):
    return secrets.token_hex(32) if world.variant.platform == "ios" else "fcm-" + secrets.token_urlsafe(24)


def greet(world, app, question="How can I help?"):
    app.say("Hello")
    world.agent_says(app.hint, question)
    app.must_hear(question)
