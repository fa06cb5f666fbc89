"""The people: what the user does with the app, what the agent says, and how they wait for each other."""
import asyncio

import timing
from app import App
from failures import Failure
from habits import has, stay
from photo import send_photo
from sandbox import StoryFailed, agent_says

PHOTO = bytes.fromhex("89504e470d0a1a0a") + bytes(2000)


class UserLeaves(Exception):
    """The app has told its user that something does not work, and the user leaves it at that."""


class Stage:
    """One user and an agent. `tries` is how often the user taps again where the conversation does not open."""

    def __init__(self, options):
        self.options, self.tries, self.words = options, 1, 0
        self.app, self.tablet = App(options, "phone"), None
        self.said, self.connections = [], None

    async def play(self, steps):
        """Plays a story's steps, one after the other."""
        for step in steps.split():
            name, *given = step.split(":")
            await getattr(self, "do_" + name.replace("-", "_"))(*given)

    # ---- the app is started, and ended

    async def do_log_in(self, how="", user="ada"):
        user = None if how == "nameless" else self.app.user or user
        if self.options.two_devices and not self.tablet and user:
            self.tablet = App(self.options, "tablet")
            await self.tablet.log_in(user) and await self.tablet.navigate("Home")
        works = await self.beside(self.app.log_in(user))
        if not self.app.sdk or not (works or self.app.signed_in or how == "stays"):
            raise UserLeaves("messaging is not available")
        await self.app.navigate("Home")

    async def do_log_out(self):
        await timing.wait(stay("account"))
        return await self.app.log_out()

    async def do_brand_ends_session(self):
        """From now on the brand's back end says, to an app that asks, that the user is not logged in any more."""
        for app in filter(None, (self.app, self.tablet)):
            app.sdk.identity.brand.session_over = True

    async def do_logged_out(self):
        """Waits until the app has logged the user out by itself; on the tablet that is found out when it is used again."""
        end = timing.moment_in(240)
        while self.app.user:
            if timing.left_until(end) == 0:
                raise StoryFailed("the app has not logged the user out")
            await timing.wait(0.3)
        self.tablet and await self.tablet.refresh_badge()

    async def do_kill(self):
        self.app.kill()

    async def do_foreground(self):
        has("counts-at-the-log-in-only") or await self.app.refresh_badge()

    async def do_middle(self):
        """What happens in the middle of a story in some variants."""
        if self.options.restart:
            was_open = self.app.window is not None
            self.app.kill()
            await timing.wait(2)
            await self.do_log_in("stays" if self.app.user else "nameless")
            was_open and await self.do_open()
        if self.tablet and self.tablet.sdk:
            await self.tablet.tap_messaging_button()
            await timing.wait(2)
            await self.tablet.close_window()

    async def second_user(self):
        """Ada gives the device to Bob."""
        if self.app.user and not await self.app.log_out():
            return
        await self.do_log_in(user="bob")
        if has("forgets-to-unregister", "unregisters-another-app"):
            await agent_says({"consumer": "ada"}, "This is for Ada only.")
            await timing.wait(5)
        await self.play("open say agent:unread wait:3 agent close log-out")

    async def end(self):
        for app in filter(None, (self.app, self.tablet)):
            await app.close_window()
            await app.marks.flush()

    # ---- the user goes about the app

    async def do_look(self):
        await self.app.navigate("Help")

    async def do_report(self):
        await self.app.sdk.monitoring.report([{"type": "personal", "personal": {"firstname": "Ada"}}])

    async def do_tries(self, tries):
        self.tries = int(tries)

    async def do_open(self, tap=None):
        """The user goes to a screen with a messaging button, and taps it; or taps a push."""
        if not tap:
            await self.app.navigate("Orders")
        for more in reversed(range(self.tries)):
            await self.beside((tap or self.app.tap_messaging_button)())
            if self.app.window:
                self.connections = self.app.window.connection.count
                return
            more and await timing.wait(30)
        raise UserLeaves("the window does not open")

    async def do_open_if_offered(self):
        self.app.offers_conversation and await self.do_open()

    async def do_tap_push(self):
        await self.do_open(self.app.tap_notification if self.options.pushes else None)

    async def do_close(self):
        await timing.wait(stay("window"))
        await self.app.close_window()

    async def beside(self, doing):
        """What an impatient user does while the app is busy: looks about, taps again, goes back and taps once more."""
        task, turn = asyncio.create_task(doing), 0
        while self.options.impatient and turn < 8 and not task.done():
            await asyncio.wait({task}, timeout=timing.real(1.5))
            turn += 1
            if turn == 3 and not task.done():
                await self.app.close_window()
            if not task.done():
                await asyncio.gather(self.app.navigate(f"Shelf{turn}"), self.app.tap_messaging_button())
        return await task

    # ---- they talk

    async def do_say(self, count="1"):
        """The user types, and sees it go out."""
        sent = []
        for _ in range(int(count)):
            self.words += 1
            event = {"type": "ContentEvent", "contentType": "text/plain", "message": f"Word {self.words} of {self.app.user}."}
            sent.append(self.app.window.say(event))
        for one in sent:
            await self.goes_out(one)

    async def do_photo(self):
        try:
            sent = await send_photo(self.app.sdk, self.app.window, PHOTO, "My receipt")
        except Failure as failure:
            return await self.app.give_up("message", failure)
        await self.goes_out(sent)

    async def goes_out(self, sent):
        await self.until(sent.done, "a message to go out")
        try:
            sent.result()
        except Failure as failure:
            await self.app.give_up("message", failure)

    async def do_agent(self, how="read"):
        """An agent speaks: to somebody without a name in the conversation that is open."""
        self.words += 1
        window = self.app.window
        aim = {"consumer": self.app.user} if self.app.user else {"conversation": window and window.conversation}
        self.said.append(await agent_says(aim, f"Word {self.words} of the agent."))
        if how == "read":
            await self.until(lambda: self.said[-1] in self.app.disk.get("seen", ()), "the agent's message on the screen")

    async def do_read(self):
        await self.until(lambda: self.app.disk.get("seen", set()).issuperset(self.said), "the agent's messages on the screen")

    # ---- they wait

    async def do_wait(self, seconds):
        await timing.wait(float(seconds))

    async def do_until(self, age):
        await timing.wait(max(0.0, float(age) - timing.age()))

    async def do_until_signed_in(self, age):
        self.app.signed_in or await self.do_until(age)

    async def do_push(self, count, seconds="45"):
        """Waits for the device to have got so many pushes; an app that has none waits for nothing."""
        self.options.pushes and await self.app.inbox.wait_for(int(count), float(seconds))

    async def do_connected_again(self):
        """Waits until the window has had to connect again, or has been opened again."""
        before, window = self.connections, self.app.window
        await self.until(lambda: self.app.window is not window or window.connection.count > before, "a second connection", 300)

    async def until(self, true, what, seconds=240):
        """Waits until something is true; taps again where the app has given the conversation up meanwhile."""
        end = timing.moment_in(seconds)
        while not true():
            if timing.left_until(end) == 0:
                raise StoryFailed(f"waited {seconds} s without success for {what}")
            self.app.window or await self.do_open()
            await timing.wait(0.3)
