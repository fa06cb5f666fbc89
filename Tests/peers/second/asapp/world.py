"""What a story plays in: the sandbox, the phones, the push service and the brand's backend."""

import asyncio

import habits
from backend import Backend
from phone import Phone
from push_service import PushService
from shared.clock import Clock
from shared.sandbox import Sandbox


class World:
    """Everything around the app. What fails in the background fails the story."""

    def __init__(self, variant):
        self.variant = variant
        self.sandbox = Sandbox(variant.marks)
        self.clock = Clock(self.sandbox.scale)
        self.push_service = PushService()
        self.backend = Backend(self, self.sandbox.setting("ASAPP_PUSH_SECRET"), variant.is_middleware)
        self.phones = [Phone(self, name) for name in ("phone", "tablet")[: variant.devices]]
        self.failed = asyncio.get_running_loop().create_future()
        self.waits = []
        self.tasks = set()

    @classmethod
    async def play(cls, story, variant, habit):
        """Tells a story to its end, or until something fails."""
        habits.adopt(habit)
        world = cls(variant)
        if variant.has_backend:
            await world.backend.open()
        for phone in world.phones:
            world.watch(phone.watch_inbox())
            world.watch(phone.watch_token())
        telling = asyncio.ensure_future(story(world))
        await asyncio.wait({telling, world.failed}, return_when=asyncio.FIRST_COMPLETED)
        await (world.failed if world.failed.done() else telling)
        world.backend.close()
        await world.sandbox.close()

    def watch(self, work):
        """Does something in the background."""

        def ended(task):
            self.tasks.discard(task)
            if not task.cancelled() and task.exception() and not self.failed.done():
                self.failed.set_exception(task.exception())

        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(ended)
        return task

    def report(self, mark, lane, phone=None, **members):
        self.watch(self.reported(mark, lane, phone, **members))

    async def reported(self, mark, lane, phone=None, **members):
        """Names the device where the person has several."""
        if lane:
            device = {"device": phone.name} if phone and len(self.phones) > 1 else {}
            await self.sandbox.mark(mark, lane, **device, **members)

    def changed(self):
        """Something that a story may wait for."""
        for wait in [wait for wait in self.waits if wait[0]()]:
            self.waits.remove(wait)
            wait[1].set_result(None)

    @staticmethod
    def expect(condition, words):
        """Fails loudly, unless a bad habit may be why."""
        if not condition and not habits.adopted:
            raise RuntimeError(f"not so: {words}")

    async def until(self, condition, seconds, words):
        """Waits for a change, and expects it."""
        if condition():
            return
        wait = (condition, asyncio.get_running_loop().create_future())
        self.waits.append(wait)
        try:
            await self.clock.within(seconds, wait[1])
        except TimeoutError:
            self.waits.remove(wait)
            self.expect(False, f"{words}, in {seconds} s")
