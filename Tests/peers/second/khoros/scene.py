"""Where a story is played: the sandbox, the clock, the devices, and the business that writes."""

import asyncio
from dataclasses import replace

import habits
from phone import Phone
from shared.clock import Clock
from shared.sandbox import Sandbox


class Scene:
    """All that one play has. It ends with its story, or as soon as anything in it breaks."""

    def __init__(self, variant):
        self.variant = variant
        self.sandbox = Sandbox(variant.reports_marks)
        self.clock = Clock(self.sandbox.scale)
        self.failed = asyncio.get_running_loop().create_future()
        self.inboxes = []
        self.offers = []

    def phone(self, **differences):
        phone = Phone(self, replace(self.variant, **differences))
        inbox = asyncio.ensure_future(phone.receive())
        inbox.add_done_callback(self.inbox_ended)
        self.inboxes.append(inbox)
        return phone

    def inbox_ended(self, inbox):
        if not inbox.cancelled() and inbox.exception() and not self.failed.done():
            self.failed.set_exception(inbox.exception())

    async def customer(self, user):
        """A user who opens the app, logs in and opens the conversation; some have a tablet beside them, and are logged in there too."""
        phone = self.phone()
        app = await phone.launch()
        if not await app.sign_in(user):
            raise RuntimeError("the login failed")
        if self.variant.has_tablet:
            tablet = self.phone(platform="android", has_tablet=False)
            await (await tablet.launch()).sign_in(user)
        await app.show()
        return phone

    async def business_writes(self, text, **aim):
        await self.sandbox.call("POST", "/khoros/agent/say", {"text": text, **aim})

    async def time_passes(self, phone):
        """What this variant's user does while nothing happens."""
        app = phone.app
        match self.variant.user:
            case "hasty":
                await self.clock.sleep(5)
                await asyncio.gather(app.write("Hello?"), app.write("Is anybody there?"))
            case "slow":
                await self.clock.sleep(45)
            case "leaves":
                await app.leave()
                await self.clock.sleep(25)
                await app.come_back()
            case "dies":
                await self.clock.sleep(8)
                await phone.kill()
                await self.clock.sleep(15)
                await (await phone.launch()).show()
            case _:
                await self.clock.sleep(20)


def tell(story):
    """The story as the command line calls it."""

    async def told(variant, habit):
        habits.choose(habit)
        scene = Scene(variant)
        telling = asyncio.ensure_future(story(scene))
        await asyncio.wait([telling, scene.failed], return_when=asyncio.FIRST_COMPLETED)
        await (scene.failed if scene.failed.done() else telling)

    return told
