"""The user that a story is about."""

from app import App
from payloads import status_in


class Person:
    """Somebody with one phone or two. What happens is on the first; the second is signed in and lies there."""

    def __init__(self, world):
        self.world = world
        self.variant = world.variant
        self.clock = world.clock
        self.apps = []

    @property
    def app(self):
        return self.apps[0]

    @property
    def phone(self):
        return self.world.phones[0]

    @classmethod
    async def come(cls, world, name="ada"):
        """Starts the app on each phone, and signs in."""
        person = cls(world)
        await person.start()
        for app in person.apps:
            await app.sign_in(name)
        return person

    async def start(self):
        for phone in self.world.phones:
            self.apps.append(App(phone))
            await self.apps[-1].launch()
        await self.rest(8 if self.variant.user == "slow" else 2)

    async def rest(self, seconds):
        await self.clock.sleep(seconds)

    async def until(self, condition, seconds, words):
        await self.world.until(condition, seconds, words)

    async def interlude(self):
        """Something that this user does in between: they come back to the screen where they were."""
        if self.variant.user in ("present", "slow"):
            await self.rest(12 if self.variant.user == "slow" else 4)
            return
        in_chat = self.app.in_chat
        await self.put_away()
        await self.rest(6)
        await self.take_up()
        if in_chat and not self.app.in_chat:
            await self.enter_chat()

    async def put_away(self):
        """Leaves the app after a while, or not; the system may end its process."""
        await self.rest(4)
        if self.variant.user == "returning":
            self.app.background()
        elif self.variant.user == "restarting":
            await self.app.kill()

    async def take_up(self):
        if self.variant.user == "returning":
            await self.app.foreground()
        elif self.variant.user == "restarting":
            self.apps[0] = App(self.phone)
            await self.app.launch()

    async def look_again(self):
        """Leaves the app and comes back at once."""
        self.app.background()
        await self.rest(3)
        await self.app.foreground()

    async def enter_chat(self):
        entered = self.app.entered
        self.app.open_chat()
        await self.until(lambda: self.app.entered > entered, 40, "the chat opens")

    async def say(self, text):
        self.world.expect(await self.app.say(text), f"{text!r} is sent")

    async def hears(self, text, seconds):
        await self.until(lambda: any(message["text"] == text for message in self.app.display.conversation), seconds, f"{text!r} is shown in the chat")

    async def gets_pushes(self, count, seconds):
        def came():
            return sum(status_in(payload) is not None for payload in self.phone.arrived) >= count

        await self.until(came, seconds, f"{count} pushes arrive")

    async def shop_says(self, text):
        """A proactive message."""
        await self.world.sandbox.call("POST", "/asapp/push", {"consumer": self.app.display.lane, "text": text})

    async def agent_says(self, text):
        await self.world.sandbox.call("POST", "/asapp/agent/say", {"consumer": self.app.display.lane, "text": text})

    async def sign_out(self):
        """Where it fails, the app says so, and the user tries it later."""
        for _ in range(4):
            if await self.app.sign_out():
                return
            await self.rest(10)
        self.world.expect(False, "the sign-out succeeds")
