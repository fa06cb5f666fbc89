"""The user of a story, and how they go on when something fails."""

import os
import sys

from app import App
from backstage import Backstage
from calls import Calls
from clock import StoryClock, until
from device import Device
from errors import ChatError, Stuck
from settings import Settings


class Ended(Exception):
    """The story ends here, as it may."""


class Person:
    """A user with a device."""

    def __init__(self, variant):
        self.variant = variant
        self.settings = Settings()
        self.calls = Calls(self.settings.ca_file)
        self.clock = StoryClock(self.settings, self.calls)
        self.device = Device()
        self.backstage = Backstage(self.settings, self.calls, self.notice)
        self.app = None
        self.was_restarted = False

    def notice(self, text):
        """Prints what happens, for anyone who reads along."""
        if os.environ.get("CLIENT_VERBOSE"):
            print(f"{self.clock.now():%H:%M:%S.%f} {text}", file=sys.stderr)

    def new_process(self):
        """Starts the app's process; only what lies in the storage is there."""
        self.app = App(self.variant, self.settings, self.clock, self.calls, self.device, self.notice)

    async def pause(self, seconds=None):
        """Looks at what is there."""
        await self.clock.sleep(self.variant.reading() if seconds is None else seconds)

    async def before_trying_again(self, attempt):
        """Waits until the next tap; the button is off for as long as the server wants."""
        await self.pause(max(self.variant.before_trying_again(attempt), self.app.retry_after))

    async def opens_the_app(self, page="Home"):
        """Opens the app, again and again if it shows an error; Ended if it will not."""
        await self.clock.look()
        if self.app is None:
            self.new_process()
        if self.app.sdk.ids["visitor"]:
            await self.backstage.mark("foregrounded", self.app.sdk.ids["visitor"])
        for attempt in range(1, self.variant.tries() + 1):
            if await self.app.open():
                if page:
                    await self.app.look_at(page)
                return
            if self.app.is_outdated or attempt == self.variant.tries():
                break
            await self.leaves_the_app()
            await self.before_trying_again(attempt)
        raise Ended("the app cannot be prepared")

    async def looks_at(self, *pages):
        """Looks at pages, one after the other."""
        for page in pages:
            await self.app.look_at(page)
            await self.pause()

    async def leaves_the_app(self):
        """Puts the app into the background, and tells so."""
        visitor, page = self.app.sdk.ids["visitor"], self.app.sdk.visits.page
        if visitor:
            await self.backstage.mark("backgrounded", visitor, **({"page": page.url} if page else {}))
        await self.app.background()

    async def opens_the_chat(self):
        """Taps on the chat, again if it shows an error; Ended if it will not open."""
        for attempt in range(1, self.variant.tries() + 1):
            if await self.app.open_chat():
                return
            if self.app.is_outdated or self.app.gave_up_sign_in() or self.app.sdk.state == "offline":
                break
            if attempt < self.variant.tries():
                await self.before_trying_again(attempt)
                if self.app.sdk.state == "initial":
                    await self.opens_the_app(None)
        raise Ended("the chat cannot be opened")

    async def writes(self, text):
        """Writes, and again if that was not sent; whether it was at last."""
        for attempt in range(1, self.variant.tries() + 1):
            if self.app.sdk.state not in ("ready", "closed"):
                await self.opens_the_chat()
            if self.app.unsent and self.app.has_sent(text):
                self.app.unsent = None
                return True
            if await self.app.write(text):
                return True
            if self.app.is_outdated:
                return False
            await self.before_trying_again(attempt)
        return False

    async def hears(self, text, seconds=20, **more):
        """The agent says something; whether the user sees it."""
        if not await self.backstage.agent("say", self.app.sdk.ids["visitor"], text=text, **more):
            return False
        return await until(self.clock, lambda: self._stands(text), seconds)

    def _stands(self, text):
        for thread in self.app.sdk.threads.all.values():
            for message in thread.messages.values():
                content = message.get("messageContent") or {}
                if message.get("direction") == "outbound" and (content.get("payload") or {}).get("text") == text:
                    return True
        return False

    async def talks(self, *lines):
        """Writes and is answered."""
        for line in lines or ("Hello, I have a question about my order",):
            await self.writes(line)
            await self.hears(f"You said: {line}")
            await self.pause()

    async def restarts(self, page="Home", opens_chat=True):
        """The process' memory is dropped; the app is opened again."""
        await self.leaves_the_app()
        await self.pause(10)
        self.new_process()
        await self.opens_the_app(page)
        if opens_chat:
            await self.opens_the_chat()
            await self.opens_first_thread()

    async def opens_first_thread(self):
        """In a list of threads, the user opens the first that can be used."""
        sdk = self.app.sdk
        if sdk.mode != "multi" or sdk.threads.current:
            return
        for thread in sdk.threads.all.values():
            if thread.state in ("received", "loaded"):
                await self.opens_thread(thread)
                return

    async def opens_thread(self, thread):
        """Selects a thread in the list, once more if that fails."""
        for attempt in (1, 2):
            try:
                await self.app.sdk.threads.recover(thread)
                await self.app.sdk.messages.seen(thread)
                return True
            except ChatError as problem:
                self.app.show(problem)
                await self.before_trying_again(attempt)
                if self.app.sdk.state != "ready":
                    await self.opens_the_chat()
        return False

    async def middle(self):
        """The middle of a story: here some phones drop the app's memory."""
        if self.variant.is_habit("restart") and not self.was_restarted:
            self.was_restarted = True
            await self.restarts()

    async def goes_home(self):
        """The end of every story."""
        if self.app is None:
            raise Stuck("nobody ever opened the app")
        await self.pause()
        await self.leaves_the_app()
