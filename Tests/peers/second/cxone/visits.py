"""What users do in most stories."""


async def come_in(app):
    """Starts the app, looks around, and opens the chat."""
    await app.start()
    await enter(app)


async def enter(app):
    if not await app.foreground():
        raise RuntimeError(f"the chat cannot be prepared: {app.chat.told}")
    await app.show("Home")
    await app.show("Products")
    await app.open_chat()


async def talk(app, count=1):
    await app.begin()
    for number in range(count):
        await app.type()
        await app.say(f"question {number}")
        await app.hear(f"answer {number} at {app.clock.now()}")


async def leave(app):
    """Goes away for a while, as the variant does it."""
    way = app.variant.leaves
    if way == "home":
        await go(app)
    elif way == "in-chat":
        await app.background()
    elif way == "window":
        await app.close_chat()
        await app.show("Basket")
    elif way == "dies":
        await app.dies()
    else:
        await app.close_chat()
        await app.sign_out()
    await app.clock.sleep(app.variant.away)


async def come_back(app):
    if app.variant.leaves == "dies":
        await app.start()
    await enter(app)


async def go(app):
    """Leaves the chat, and then the app."""
    await app.close_chat()
    await app.show("Basket")
    await app.background()


async def visit_again(app):
    """A second visit, with a talk."""
    await leave(app)
    await come_back(app)
    await talk(app)
