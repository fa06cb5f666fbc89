"""Everything that a story has: the clock, the sandbox, the phones, and the brand's backend if the brand has one of its own."""

import asyncio

from backend import Backend
from habits import Habits
from phone import Phone
from shared.clock import Clock
from shared.sandbox import Sandbox


class World:
    """Set up with `async with`."""

    def __init__(self, variant, habit):
        self.variant = variant
        self.habits = Habits(habit)
        self.sandbox = Sandbox(variant.reports_marks)
        self.clock = Clock(self.sandbox.scale)
        self.phones = [Phone(self, person, device) for person, device in variant.phones]
        self.backend = None
        self.own_address = None

    async def __aenter__(self):
        if self.variant.own_backend:
            self.backend = Backend(self)
            self.own_address = await self.backend.start()
        await asyncio.gather(*(phone.switch_on() for phone in self.phones))
        return self

    async def __aexit__(self, *_):
        for phone in self.phones:
            await phone.switch_off()
        if self.backend:
            await self.backend.stop()
        await self.sandbox.close()

    async def agent_says(self, interaction, text):
        await self.sandbox.call("POST", "/talkdesk/agent/say", {"conversation": interaction, "text": text})
