"""The user of a phone, and the agent whom the user talks to."""

import asyncio

from screen import NeverSeen


class User:
    """Looks at the screen and acts; knows nothing of tokens."""

    def __init__(self, world, phone):
        self.world = world
        self.phone = phone
        self.patience = world.variant.patience
        self.interlude = world.variant.interlude != "stays"

    async def open_chat(self, tries=20):
        """Opens the chat, and tries again after a while if the app says no. Raises `NeverSeen`."""
        for _ in range(tries):
            if await self.tap_chat() == "open":
                return
            await self.pause(max(self.patience, self.phone.app.controller.wait))
        await self.phone.screen.until(lambda screen: screen.state == "open", f"the chat opens at the {tries}th try", 1)

    async def open_chat_in_vain(self):
        if await self.tap_chat() != "open":
            return
        await self.phone.screen.until(lambda screen: screen.state == "failed", "the chat fails", 30)

    async def tap_chat(self):
        if self.phone.screen.state not in ("opening", "open"):
            self.phone.app.open_chat()
        await self.phone.screen.until(lambda screen: screen.state in ("open", "failed"), "the chat opens or fails", 70)
        return self.phone.screen.state

    async def say(self, text):
        """In one message, or in two that follow each other at once."""
        texts = (text, f"{text} Please.") if self.world.variant.types_fast else (text,)
        await asyncio.gather(*(self.say_once(each) for each in texts))

    async def say_once(self, text):
        """Says it, and once more if it was not sent: in a new chat if this one has failed."""
        if self.phone.screen.state == "open" and await self.type(text):
            return
        await self.pause(2)
        await self.open_chat()
        if not await self.type(text):
            raise NeverSeen(f"'{text}' is not sent: {self.phone.screen.notice}")

    async def type(self, text):
        """Whether it was sent."""
        self.phone.app.say(text)
        await self.phone.screen.until(lambda screen: text in screen.sent + screen.unsent or screen.state == "failed", f"'{text}' is sent", 60)
        return text in self.phone.screen.sent

    async def hear(self, text):
        """The agent answers after a few seconds."""
        await self.pause(3)
        await self.world.agent_says(self.phone.store["interaction"], text)
        if not self.world.variant.polls_every:
            await self.pause(2)
            self.phone.app.pull_to_refresh()
        await self.phone.screen.until(lambda screen: text in screen.received, f"the agent's '{text}'", 60)

    async def linger(self, seconds):
        """Stays in the app, or does once what the variant is for."""
        if self.interlude and seconds >= 12 and self.phone.screen.state == "open":
            self.interlude = False
            await (self.wander if self.world.variant.interlude == "wanders" else self.restart)(seconds)
        else:
            await self.pause(seconds)

    async def wander(self, seconds):
        await self.phone.app.leave()
        await self.pause(seconds - 5)
        await self.phone.app.come_back()
        await self.pause(5)

    async def restart(self, seconds):
        await self.phone.kill_app()
        await self.pause(5)
        await self.phone.start_app()
        self.phone.app.return_to_chat()
        await self.pause(seconds)

    async def see_a_push(self, seconds):
        """Waits until the phone has shown a push. Only one of the phones may get it."""
        for _ in range(seconds):
            if self.phone.pushes:
                return
            await self.pause(1)
        if self.phone.device == "brand-app-phone":
            raise RuntimeError("no push came")

    async def close_chat(self):
        self.phone.app.close_chat()
        await self.phone.screen.until(lambda screen: screen.state in ("ended", "failed"), "the chat ends", 60)

    async def pause(self, seconds):
        await self.world.clock.sleep(seconds)
