"""Pages and visits, reported one after another."""

import asyncio
from dataclasses import dataclass

from state import State
from store import Visit, new_id


@dataclass(frozen=True)
class Page:
    """What the user looks at."""

    title: str
    url: str
    since: float


class Analytics:
    """Reports visitor events and does not read the answers (CXone reference 3.4). A report that fails is gone."""

    VISIT = 1800  # seconds (CXone reference 3.4)

    def __init__(self, chat):
        self.chat = chat
        self.page = None
        self.reports = asyncio.Queue()
        self.task = asyncio.create_task(self.work())
        chat.events.on("view-page", self.view_page)
        chat.events.on("end-page", self.end_page)
        chat.events.on("open-window", lambda: self.report("ChatWindowOpened", {}))

    async def work(self):
        again = self.chat.habits.has("repeats-visitor-events")
        while True:
            url, body = await self.reports.get()
            for _ in range(12 if again else 1):
                status, _ = await self.chat.calls.ask("POST", url, body, self.chat.wire.headers(True))
                if status and status < 500:
                    break
            self.reports.task_done()

    async def drained(self):
        """All that was reported has gone out."""
        await self.reports.join()

    def report(self, kind, data):
        visit = self.chat.store.visit.id
        self.reports.put_nowait((self.chat.wire.visitor_url() + "/events", self.chat.wire.visitor_event(kind, data, visit)))

    def touch_visit(self):
        """Prolongs the visit, or begins another; true in the latter case."""
        now = self.chat.clock.now()
        visit = self.chat.store.visit
        is_new = not visit or (visit.expires <= now and not self.chat.habits.has("keeps-an-expired-visit"))
        self.chat.store.visit = Visit(new_id() if is_new else visit.id, now + self.VISIT)
        return is_new and not self.chat.habits.has("begins-a-visit-silently")

    def view_page(self, title, url):
        """Event diagrams, View Page. The document leaves open to which visit the end of the last page belongs: the variants differ."""
        if self.chat.state in (State.INITIAL, State.PREPARING):
            self.chat.tell("illegal-state")
            return
        order = self.chat.variant.pages
        if order == "page-first":
            self.end_last_page()
        is_new = self.touch_visit()
        if order == "as-the-page":
            self.end_last_page()
        if is_new:
            self.report("VisitorVisit", {})
        if order == "visit-first":
            self.end_last_page()
        self.page = Page(title, url, self.chat.clock.now())
        self.report("PageView", {"title": title, "url": url})

    def end_last_page(self):
        if self.page and not self.chat.habits.has("never-ends-a-page"):
            page, self.page = self.page, None
            spent = int(self.chat.clock.now() - page.since)
            self.report("TimeSpentOnPage", {"title": page.title, "url": page.url, "timeSpentOnPage": spent})

    def end_page(self):
        """The app goes to the background."""
        if self.chat.configuration and not self.chat.habits.has("leaves-its-page-open"):
            self.end_last_page()
