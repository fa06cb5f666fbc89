"""The SDK as the app sees it; what is below it speaks to LivePerson."""

import asyncio

from files import Files
from lookup import Services
from monitoring import Monitoring
from outbox import Message
from pusher import Pusher
from session import Session
from window import Window


class Sdk:
    """Its parts, recreated for each person who logs in."""

    def __init__(self, world, store):
        self.store = store
        self.services = Services(world)
        self.session = Session(world, self.services, store)
        self.pusher = Pusher(world, self.services, self.session)
        self.monitoring = Monitoring(world, self.services)
        self.window = Window(world, self.session, self.services, self.monitoring, store)
        self.files = Files(world, self.services, self.window)
        self.machine = asyncio.ensure_future(self.window.run())

    async def initialize(self):
        await self.services.look_up()

    async def logout(self):
        """LivePerson reference 8.1: it unregisters first, and fails if that fails; then nothing of the user's stays on the device."""
        if self.pusher.registered:
            await self.pusher.unregister()
        self.store.wipe()
        self.stop()

    def stop(self):
        self.machine.cancel()

    def say(self, words):
        return self.publish(Message.text(words))

    async def send_picture(self, picture):
        return self.publish(Message(await self.files.uploaded(picture)))

    def publish(self, message):
        """The message, which tells of its state."""
        self.window.ask(self.window.conversation.on_say, message)
        return message

    def typing(self):
        self.window.ask(self.window.conversation.on_typing)
