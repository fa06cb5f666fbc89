"""Stories of what is said, and of the socket it is said on."""

from state import State
from visits import come_back, come_in, go, leave, talk, visit_again


async def is_welcomed(app):
    """The user reads the welcome message before writing."""
    await come_in(app)
    await app.clock.sleep(5)
    await talk(app, 2)
    await visit_again(app)
    await go(app)


async def ends_the_chat(app):
    """The customer ends the chat, once more if that is refused, and begins another."""
    await come_in(app)
    await talk(app)
    for _ in range(2):
        if app.chat.state == State.READY and not await app.end_chat():
            await app.clock.sleep(5)
    await tempt(app)
    await app.start_thread()
    await talk(app)
    await app.end_chat()
    await app.clock.sleep(20)
    await go(app)


async def tempt(app):
    """What a client with a habit does to a closed chat, once it must have heard of the end."""
    await app.clock.sleep(1)
    if app.habits.has("writes-to-what-is-closed"):
        app.chat.write("Are you still there?")
    if app.habits.has("ends-what-is-closed"):
        app.chat.do("end-contact")
    await app.clock.sleep(5)


async def agent_closes_the_chat(app):
    """In messaging the customer continues to write; a live chat is another one."""
    await come_in(app)
    await talk(app)
    await app.desk.close(app.store.visitor)
    await app.until(lambda: "contact-closed" in app.chat.told, 30, "that the contact is closed")
    await app.clock.sleep(5)
    if app.is_live:
        await tempt(app)
    await talk(app)
    await visit_again(app)
    await go(app)


async def is_refused(app):
    """The customer writes again what was not sent. With iOS nobody notices (CXone reference C14)."""
    await come_in(app)
    await app.write("May I ask something?")
    await app.clock.sleep(5)
    await app.say("May I ask something?")
    await app.hear("Of course")
    await app.say("Thank you")
    await visit_again(app)
    await go(app)


async def has_a_long_history(app):
    """The first large event is what tells that the customer's first message has arrived; it may be lost, and only the acknowledgement is left."""
    await come_in(app)
    await app.write("May I ask something?")
    await talk(app, 2)
    await leave(app)
    await come_back(app)
    await talk(app)
    await app.clock.sleep(30)
    await go(app)


async def has_two_threads(app):
    """Names the one and archives it, and comes back to the other."""
    await come_in(app)
    await app.start_thread()
    first = app.thread.id
    await app.say("Where is my order?")
    app.chat.do("rename-thread", name="Order 42")
    await app.hear("On its way")
    await app.start_thread()
    await app.say("How do I pay?")
    await app.hear("By card")
    await leave(app)
    await come_back(app)
    if first in app.chat.threads.known:
        await app.open_thread(app.chat.threads.known[first])
        app.chat.do("archive-thread")
        await app.clock.sleep(5)
    if app.thread and app.thread.is_closed:
        app.chat.write("One more thing")
        await app.clock.sleep(5)
    await talk(app)
    await go(app)


async def stays(app, minutes=2):
    """The user reads in the open chat, and writes again."""
    await come_in(app)
    await talk(app)
    for _ in range(minutes):
        await app.clock.sleep(60)
        await app.until(lambda: app.chat.state == State.READY, 60, "that the chat is ready again")
        await talk(app)
    await go(app)


async def stays_longer(app):
    """Long enough for those to notice who wait 100 s for a pong (CXone reference 4.4)."""
    await stays(app, 3)
