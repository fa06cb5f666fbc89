"""What a user does, from the log-in to the log-out."""

import asyncio
import secrets
from dataclasses import dataclass, replace

from app import App
from phone import Phone
from retry import GaveUp, Refused
from store import Store
from window import SignedOut
from world import World

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(2000)


@dataclass(frozen=True)
class Plan:
    """How one scenario's story differs from the common one; times in seconds."""

    waits: float = 0  # before the window is opened for the first time
    stays: float = 0  # in the window, after the chat
    talks: bool = True  # while staying
    away: float = 0  # with the window closed
    lingers: float = 0  # after the push
    rests: float = 0  # before the log-out, until the pooled connections are gone
    picture: bool = False
    engagements: bool = False  # waits for each page's engagement, however long it takes
    push: bool = True  # whether the agent's message arrives as a push
    ends: str = "well"  # or "off", where there is no messaging; "refused", where it gives up; or "unregistering", where that fails


class Story:
    """One user's day with the app."""

    def __init__(self, plan, variant, habit):
        self.plan = plan
        self.variant = variant
        self.bad = habit is not None
        self.world = World.of(variant, habit)
        self.phone = Phone(self.world)
        self.tag = secrets.token_hex(2)  # distinguishes this day's messages
        self.app = App(self.world, self.phone, Store())

    async def tell(self):
        below = asyncio.ensure_future(self.phone.run()) if self.variant.gets_pushes else None
        ended = await self.day()
        if self.variant.policy == "two people":
            await self.next_person()
        if below:
            if below.done():
                below.result()
            below.cancel()
        await self.world.close()
        if ended != self.plan.ends and not self.bad and ended != "signed out":
            raise AssertionError(f"the story ended otherwise: {ended}")

    async def day(self):
        """How it ended."""
        ended = "well"
        try:
            if await self.app.initialize():
                await self.visit()
            else:
                ended = "off"
        except SignedOut:
            ended = "signed out"
        except (GaveUp, Refused) as error:
            await self.world.mark("gave-up")
            ended = "refused" if self.plan.ends == "refused" else str(error)
        await self.world.clock.sleep(self.plan.rests)
        if not await self.app.log_out():
            ended = "unregistering"
        return ended

    async def visit(self):
        if self.variant.policy == "hasty":
            await asyncio.gather(self.app.get_ready(), self.browse_and_open())
        else:
            await self.app.get_ready()
            await self.browse_and_open()
        await self.chat()
        if self.variant.policy == "restarts":
            await self.restart()
        if self.plan.picture:
            await self.said(await self.app.sdk.send_picture(PICTURE))
        if self.variant.policy == "leaves":
            await self.app.close_window()
            await self.world.clock.sleep(max(self.plan.stays, 20))
            await self.app.open_window()
        elif self.plan.stays:
            await self.stay()
        if self.variant.policy == "defers push":  # the user stays until the device is registered
            await self.world.clock.within(60, asyncio.gather(*self.app.tasks))
        await self.app.close_window()
        await self.world.clock.sleep(self.plan.away)
        if not self.variant.anonymous:
            await self.get_message()
        await self.app.open_window()
        if not self.variant.anonymous:
            await self.sees("Anything else?")
        await self.say("thanks")
        await self.world.clock.sleep(3)
        await self.app.close_window()

    async def browse_and_open(self):
        """The user goes to one page, soon to another, and presses the messaging button there."""
        monitoring = self.app.sdk.monitoring
        self.app.beside(monitoring.enter("Sport"))
        await self.world.clock.sleep(0.5 if self.variant.policy == "hasty" else 2)
        orders = asyncio.ensure_future(monitoring.enter("Orders"))
        try:
            await self.world.clock.within(200 if self.plan.engagements else 12, asyncio.shield(orders))
        except TimeoutError:
            self.app.beside(orders)
        await self.world.clock.sleep(self.plan.waits)
        if not self.app.sdk.session.failure:
            try:
                await self.app.open_window()
                return
            except GaveUp:
                await self.world.mark("gave-up")
        # The app has said that LivePerson cannot be reached: the user tries again in a minute.
        await self.world.clock.sleep(60)
        await self.app.open_window()

    async def chat(self):
        await self.say("hello")
        for words in ("How can I help?", "Are you there?", "Hello?"):
            await self.agent(words)
        await self.sees("Hello?")
        await self.world.clock.sleep(2)
        self.app.sdk.typing()
        for words in ("yes", "my parcel", "is late"):
            await self.say(words)
        await self.agent("I will look")
        await self.agent("It is on its way")
        await self.sees("It is on its way")
        await self.world.clock.sleep(3)

    async def stay(self):
        """In the open window, with something to say each 24 s, or with nothing."""
        left = self.plan.stays
        while left > 0:
            await self.idle(24)
            left -= 24
            if self.plan.talks:
                await self.say(f"still here, {left} s to go")
                await self.agent(f"So am I, {left} s to go")
                await self.sees(f"So am I, {left} s to go")

    async def idle(self, seconds):
        window = self.app.sdk.window
        try:
            await window.until(lambda: window.failure, seconds)
        except TimeoutError:
            return
        self.app.check()

    async def get_message(self):
        """The agent writes while the window is closed: a push comes, and the user comes back to the app."""
        self.app.pushed.clear()
        await self.agent("Your parcel has arrived")
        await self.world.clock.sleep(3)
        await self.agent("Anything else?")
        if self.variant.gets_pushes and self.plan.push:
            try:
                await self.world.clock.within(60, self.app.pushed.wait())
            except TimeoutError:
                if not self.bad:
                    raise
        await self.world.clock.sleep(self.plan.lingers)
        await self.app.read_badge()

    async def restart(self):
        """The process dies with the window open, and the user starts the app again."""
        await self.world.mark("process-ended")
        await self.app.stop()
        self.world = await self.world.restarted()
        await self.world.clock.sleep(5)
        self.app = App(self.world, self.phone, self.app.store)
        if await self.app.initialize():
            await self.app.get_ready()
            await self.app.open_window()

    async def next_person(self):
        """Somebody else logs in on the same phone."""
        self.world = replace(self.world, person="ben")
        self.app = App(self.world, self.phone, self.app.store)
        try:
            if await self.app.initialize():
                await self.app.get_ready()
                await self.app.open_window()
                await self.say("hello, it is me now")
        except (GaveUp, Refused):
            await self.world.mark("gave-up")
        await self.app.log_out()

    # The user's hands and eyes

    async def say(self, words):
        await self.said(self.app.sdk.say(f"{words} {self.tag}"))

    async def said(self, message):
        window = self.app.sdk.window
        await window.until(lambda: message.done or window.failure, 240)
        self.app.check()
        if message.state == "failed" and not self.bad:
            raise AssertionError(f"not sent: {message.event}")

    async def sees(self, words):
        """Waits for an agent's message to be on the screen, and asks when it takes long."""
        if not await self.is_shown(words, 45):
            await self.say("are you there?")
            if not await self.is_shown(words, 45) and not self.bad:
                raise AssertionError(f"not shown: {words}")

    async def is_shown(self, words, seconds):
        window = self.app.sdk.window
        try:
            await window.until(lambda: words in window.conversation.shown or window.failure, seconds)
        except TimeoutError:
            return False
        self.app.check()
        return True

    async def agent(self, words):
        await self.world.sandbox.call("POST", "/liveperson/agent/say", {"consumer": self.app.world.person, "text": words})
