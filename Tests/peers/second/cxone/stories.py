"""Stories of the app, its pages and its visits."""

from state import State
from visits import come_in, enter, go, talk, visit_again


async def comes_twice(app):
    """The user chats, leaves, and comes back."""
    await come_in(app)
    await talk(app, 2)
    await visit_again(app)
    await go(app)


async def comes_once_more(app):
    """In a multi-thread channel nothing is recovered on the first visit, so that it takes a third one to see it fail."""
    await come_in(app)
    await talk(app)
    await visit_again(app)
    if app.variant.mode == "multi":
        await visit_again(app)
    await app.clock.sleep(40)
    await go(app)


async def leaves_early(app):
    """The user leaves while the configuration is on its way, and comes back."""
    await app.start()
    app.chat.do("prepare")
    await app.clock.sleep(1)
    await app.background()
    await app.clock.sleep(app.variant.away)
    await enter(app)
    await talk(app)
    await visit_again(app)
    await go(app)


async def cannot_prepare_at_first(app):
    """The user has patience, but does not try for ever, and stays in the app anyway."""
    await app.start()
    if not await app.foreground():
        await app.clock.sleep(90)
        return
    await app.show("Home")
    await app.open_chat()
    await talk(app)
    await visit_again(app)
    await go(app)


async def is_too_old(app):
    """The user taps the chat twice more."""
    await app.start()
    for _ in range(3):
        if await app.foreground():
            raise RuntimeError("the chat was prepared")
        await app.clock.sleep(10)


async def finds_nobody(app):
    """The user looks again after more than a minute."""
    await come_in(app)
    if app.chat.state == State.OFFLINE:
        await app.show("Basket")
        await app.clock.sleep(70)
        await app.open_chat()
    if app.chat.state == State.READY:
        await talk(app)
    await go(app)


async def leaves_the_phone_alone(app):
    """For forty minutes, between two pages."""
    await app.start()
    await app.foreground()
    await app.show("Home")
    await app.show("Products")
    if not app.variant.screen_stays_on:
        await app.background()
    await app.sandbox.advance(app.clock, 2400)
    await app.foreground()
    await app.show("Basket")
    await app.open_chat()
    await talk(app)
    await go(app)
