"""The app's AuthorizationController, as in the guide: fetches an access token from the backend when the SDK asks for one."""

import asyncio

from access import Denied
from events import Authorized, NotAuthorized


class AuthorizationController:
    """Calls authorize(with:) once for each shouldAuthorize()."""

    def __init__(self, clock, access, report, variant, habits):
        self.clock = clock
        self.access = access
        self.report = report
        self.variant = variant
        self.habits = habits
        self.sdk = None
        self.fetches = set()
        self.ahead = None  # the fetch of a token that nobody has asked for yet
        self.handed_over = False
        self.wait = 0  # seconds that the backend asked for when it last denied a token
        self.kept = None
        self.kept_until = 0

    def fetch_ahead(self):
        self.ahead = self.begin(self.access.fetch(False))

    def begin(self, work):
        task = asyncio.create_task(work)
        self.fetches.add(task)
        task.add_done_callback(self.fetches.discard)
        return task

    def cancel(self):
        for task in list(self.fetches):
            task.cancel()

    async def should_authorize(self):
        await self.report("asked")
        self.begin(self.answer())

    async def answer(self):
        try:
            token = await self.fetch()
        except Denied as denied:
            self.wait = denied.wait
            if not self.habits.has("silent-when-denied"):
                await self.report("not-authorized")
                self.sdk.authorize(NotAuthorized(str(denied)))
            return
        self.handed_over = True
        for _ in range(2 if self.habits.has("authorizes-twice") else 1):
            await self.report("authorized")
            self.sdk.authorize(Authorized(token))

    async def fetch(self):
        if self.kept and self.clock.now() < self.kept_until:
            return self.kept
        ahead, self.ahead = self.ahead, None
        if ahead:
            try:
                return await ahead
            except Denied:
                pass  # nobody had asked for that one: ask now
        if self.habits.has("asks-twice"):
            return await self.fetch_twice()
        token = await self.fetch_until_granted() if self.habits.has("asks-until-granted") else await self.access.fetch(self.handed_over)
        if self.habits.has("believes-in-ten-minutes"):
            self.kept, self.kept_until = token, self.clock.now() + 600
        return token

    async def fetch_twice(self):
        first = self.begin(self.access.fetch(self.handed_over))
        await asyncio.wait([first], timeout=10 * self.clock.scale)
        if first.done():
            return first.result()
        second = self.begin(self.access.fetch(self.handed_over))
        await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
        return (first if first.done() else second).result()

    async def fetch_until_granted(self):
        for _ in range(9):
            try:
                return await self.access.fetch(self.handed_over)
            except Denied:
                continue
        return await self.access.fetch(self.handed_over)
