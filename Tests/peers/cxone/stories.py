"""The stories of a chat: who does what."""

import asyncio

from clock import until
from errors import ChatError


async def chats(person):
    """Opens the chat and talks; the agent answers; a thank you in the end."""
    await person.opens_the_chat()
    await person.talks()
    await person.middle()
    await person.writes("Thank you")


async def opens_and_talks(person):
    """Opens the app, looks at a page, chats."""
    await person.opens_the_app()
    await person.pause()
    await chats(person)


async def analytics_down(person):
    """Pages, the chat, pages."""
    await person.opens_the_app()
    await person.looks_at("Products", "Shoes", "Red shoes")
    await person.opens_the_chat()
    await person.talks("Do you have them in blue?")
    await person.middle()
    await person.looks_at("Blue shoes", "Basket")
    await person.writes("I have found them")


async def background_during_prepare(person):
    """Opens the app and leaves at once; comes back later."""
    person.new_process()
    opening = asyncio.ensure_future(person.app.open())
    await until(person.clock, lambda: person.app.sdk.state == "preparing", 5, step=0.01)
    await person.clock.sleep(0.3 if person.variant.is_habit("patient-user") else 0.02)
    await person.leaves_the_app()
    await asyncio.wait([opening], timeout=person.clock.real(1))
    await person.pause(20)
    await opens_and_talks(person)


async def live_chat_offline(person):
    """Opens a chat at which nobody is; some come back a little later."""
    await person.opens_the_app()
    await person.pause()
    opened = await person.app.open_chat()
    if not opened and person.app.sdk.state == "offline":
        if person.variant.is_habit("impatient-user"):
            await person.pause(5)
            opened = await person.app.open_chat()
        elif person.variant.is_habit("patient-user"):
            await person.pause(70)
            opened = await person.app.open_chat()
    if opened:
        await person.talks()


async def signs_in(person):
    """Signs in at the brand and opens the chat."""
    await person.opens_the_app()
    sdk = person.app.sdk
    if sdk.tokens.needs_code():
        try:
            await person.app.sign_in()
        except ChatError as problem:
            person.app.show(problem)
        await person.pause()
    await chats(person)


async def token_expires(person):
    """Chats, leaves the chat open for long, writes again."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.talks()
    await person.pause(45)
    await person.writes("I am back again")
    await person.hears("Good to see you")
    await person.middle()
    await person.writes("Where were we?")


async def transaction_token_expires(person):
    """The socket goes after a long while, and so has the token of its address."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.talks()
    await person.pause(30)
    await person.writes("I am still here")
    await person.hears("So am I")
    await person.middle()
    await person.writes("Good")


async def recover_failed(person):
    """Chats, closes the app, opens it again, writes."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.talks()
    await person.restarts()
    await person.pause()
    await person.writes("It is me again")
    await person.hears("Welcome back")


async def large_event(person):
    """A long history, which is loaded after a restart."""
    await person.opens_the_app()
    await person.opens_the_chat()
    for number in range(1, 11):
        await person.writes(f"Part {number} of my story. " + "It was a dark and stormy night. " * 250)
        await person.hears(f"Answer {number}. " + "We are sorry to hear that. " * 300)
    await person.restarts()
    await person.pause()
    thread = person.app.sdk.threads.current
    if thread and thread.scroll_token and not person.variant.is_habit("impatient-user"):
        try:
            await person.app.sdk.threads.load_more(thread)
        except ChatError as problem:
            person.app.show(problem)
    await person.writes("Where were we?")
    await person.hears("At the beginning")


async def sits_for_three_minutes(person):
    """Sits in the open chat for three minutes, then writes."""
    await sits_for_a_minute(person, 180)


async def sits_for_a_minute(person, seconds=60):
    """Sits in the open chat for a minute, then writes."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.talks()
    await person.pause(seconds)
    await person.writes("Is anybody there?")
    await person.hears("I am")
    await person.middle()
    await person.writes("Good")


async def gateway_drops(person):
    """Writes while the gateway fails; waits; writes again."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.writes("Hello, I have a question")
    await person.hears("Which one?")
    await person.writes("Where is my parcel?")
    await person.hears("On its way")
    await person.middle()
    await person.writes("Thank you")


async def thread_closed(person):
    """The agent closes the contact; the user writes on."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.talks()
    await person.backstage.agent("close", person.app.sdk.ids["visitor"])
    await until(person.clock, lambda: person.app.sdk.state == "closed", 5)
    await person.middle()
    await person.writes("One more thing")
    await person.hears("Yes?")


async def ends_contact(person):
    """Chats, ends the chat, wants the transcript."""
    await person.opens_the_app()
    await person.opens_the_chat()
    await person.talks()
    await person.middle()
    sdk = person.app.sdk
    for attempt in (1, 2):
        thread = sdk.threads.current
        if not thread or thread.state == "closed":
            break
        try:
            await sdk.messages.end(thread)
        except ChatError as problem:
            person.app.show(problem)
            await person.pause(person.variant.before_trying_again(attempt))
            if sdk.state != "ready":
                await person.opens_the_chat()
    await person.pause()
    if sdk.allows_transcript and thread and thread.contact_id and sdk.gateway:
        try:
            await sdk.messages.transcript(thread, "jo@shop.example")
        except ChatError as problem:
            person.app.show(problem)


async def opens_only(person):
    """Opens the app."""
    await person.opens_the_app()
    await person.pause()
    await person.opens_the_chat()
    await person.talks()


async def welcome(person):
    """Reads the welcome message and writes."""
    await person.opens_the_app()
    await person.pause()
    await person.opens_the_chat()
    await until(person.clock, lambda: person.app.sdk.messages.welcome, 5)
    await person.talks("Yes, please help me")
    await person.middle()
    await person.writes("Thank you")


async def two_threads(person):
    """Two threads: one is renamed and archived, the other is opened after a restart."""
    await person.opens_the_app()
    await person.opens_the_chat()
    threads = person.app.sdk.threads
    await person.talks("My shoes are too small")
    first = threads.current
    threads.current = None
    threads.create(person.app.filled_forms())
    await person.writes("And where is my hat?")
    second = threads.current
    await person.hears("The hat is on its way")
    if first:
        try:
            await threads.rename(first, "Shoes")
            await person.pause()
            await threads.archive(first)
        except ChatError as problem:
            person.app.show(problem)
    await person.restarts(opens_chat=False)
    await person.opens_the_chat()
    other = person.app.sdk.threads.all.get(second.id)
    if other:
        await person.opens_thread(other)
        await person.pause()
        await person.writes("It has come")
        await person.hears("Very good")


async def visit_expires(person):
    """Pages, a long pause, another page."""
    await person.opens_the_app()
    await person.looks_at("Products", "Shoes")
    if person.variant.is_habit("restart", "impatient-user"):
        await person.leaves_the_app()
    await person.backstage.advance("40m")
    await person.clock.look()
    if person.variant.is_habit("restart"):
        person.new_process()
    if person.variant.is_habit("restart", "impatient-user"):
        await person.opens_the_app(None)
    await person.looks_at("Hats", "Basket")
