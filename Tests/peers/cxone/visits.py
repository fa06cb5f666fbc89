"""Analytics: who visits and what they look at. No failure here harms anything."""

import asyncio
import datetime

from calls import TransportFailure
from device import new_id

VISIT_LENGTH = datetime.timedelta(minutes=30)


class Page:
    """A page that is being looked at."""

    def __init__(self, title, url, seen_at, visit):
        self.title = title
        self.url = url
        self.seen_at = seen_at
        self.visit = visit


class Visits:
    """Reports visits and page views in order, behind the app's back."""

    def __init__(self, sdk):
        self.sdk = sdk
        self.page = None
        self.queue = asyncio.Queue()
        self.worker = None

    async def view_page(self, title, url):
        """The user looks at a page."""
        self.sdk.require_prepared()
        if self.sdk.platform.name == "web":
            return  # the Web SDK reports no pages
        now = await self.sdk.clock.look()
        if self.page and self.sdk.variant.ends_pages_in_their_visit():
            self._end_page(now)
        visit = self._visit(now)
        if self.page:
            self._end_page(now)
        self.page = Page(title, url, now, visit)
        self._report("PageView", {"title": title, "url": url}, now, visit)

    async def page_view_ended(self):
        """The user looks at it no more; waits a little until that is reported."""
        if self.page:
            now = await self.sdk.clock.look()
            self._end_page(now)
        await self.flush(3)

    async def chat_window_opened(self):
        """The user has opened the chat."""
        if self.sdk.platform.name != "web":
            now = await self.sdk.clock.look()
            self._report("ChatWindowOpened", {}, now, self._visit(now))

    def _end_page(self, now):
        page, self.page = self.page, None
        visit = page.visit if self.sdk.variant.ends_pages_in_their_visit() else self._visit(now)
        seconds = max(0, int((now - page.seen_at).total_seconds()))
        self._report("TimeSpentOnPage", {"url": page.url, "title": page.title, "timeSpentOnPage": seconds}, now, visit)

    def _visit(self, now):
        """The visit that goes on, or a new one, which is reported first."""
        storage = self.sdk.storage
        expires = storage.get("visit_expires")
        if not expires or now >= expires:
            storage["visit_id"] = new_id()
            storage["visit_expires"] = now + VISIT_LENGTH
            self._report("VisitorVisit", {}, now, storage["visit_id"])
        storage["visit_expires"] = now + VISIT_LENGTH
        return storage["visit_id"]

    def _report(self, kind, data, now, visit):
        event = {"id": new_id(), "type": kind, "visitId": visit, "destination": {"id": self.sdk.destination_id},
                 "createdAtWithMilliseconds": self.sdk.platform.date(now), "data": data}
        self.queue.put_nowait(event)
        if self.worker is None or self.worker.done():
            self.worker = asyncio.create_task(self._work())

    async def _work(self):
        while not self.queue.empty():
            telling = asyncio.create_task(self._tell(self.queue.get_nowait()))
            await asyncio.wait([telling], timeout=self.sdk.clock.real(1))  # a silent server holds up nothing

    async def _tell(self, event):
        url = f"{self.sdk.visitor_url()}/events"
        body = self.sdk.wire.text(event).encode()
        try:
            await self.sdk.calls.send("POST", url, self.sdk.platform.headers(True), body, max(1, self.sdk.clock.real(self.sdk.platform.call_wait)))
        except TransportFailure:
            pass  # nobody waits for it, and it is not told again

    async def flush(self, seconds):
        """Waits until everything is reported, but not long."""
        if self.worker and not self.worker.done():
            await asyncio.wait([self.worker], timeout=self.sdk.clock.real(seconds))
