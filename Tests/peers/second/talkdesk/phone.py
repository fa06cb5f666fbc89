"""A phone in somebody's hand: the app's processes, what outlives them, and the pushes that Apple or Google deliver."""

import asyncio

from app import App


class Phone:
    """One device with one person."""

    def __init__(self, world, person, device):
        self.world = world
        self.person = person
        self.device = device
        self.store = {}
        self.app = None
        self.pushes = 0  # the number of the last one
        self.inbox = None

    @property
    def screen(self):
        return self.app.screen

    async def switch_on(self):
        self.inbox = asyncio.create_task(self.deliver())
        await self.start_app()

    async def start_app(self):
        self.app = App(self.world, self.person, self.device, self.store)
        await self.app.launch()

    async def kill_app(self):
        await self.app.die()
        self.app = None

    async def switch_off(self):
        self.inbox.cancel()
        await self.kill_app()

    async def deliver(self):
        while True:
            for push in await self.world.sandbox.notifications(self.device, self.pushes + 1, 30):
                self.pushes = push["number"]
                if self.app:
                    self.app.receive_push(push["payload"])
