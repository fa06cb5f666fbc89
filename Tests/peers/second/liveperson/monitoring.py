"""The Monitoring API: which engagement fits where the user is (LivePerson reference 9)."""

import asyncio
import re

from answers import content, members, retry_after
from retry import MONITORING, SCHEDULE, pause
from shared.pool import NetworkError

INSTALLATION = "7c1e2b9a-5d40-4f66-9b7e-30d8a1c4f205"


class Monitoring:
    """One visitor with their session, and the engagement of the page that they are on."""

    def __init__(self, world, services):
        self.world = world
        self.services = services
        self.visitor = None
        self.visit = None  # the session of the visitor
        self.engagement = None
        self.pages = 0
        self.naming = asyncio.Lock()  # the first call names the visitor, so the others wait for its answer

    async def enter(self, page):
        """Fetches the engagement of a page, unless the user goes to another one meanwhile. Without one there is nothing to show."""
        self.pages += 1
        here = self.pages
        self.engagement = None
        # SDK flows, User navigates about the App 2: the standard policy; LivePerson reference 9.3 for who calls the API directly.
        schedule = list(SCHEDULE if self.world.variant.ios else MONITORING)
        while self.pages == here:
            answer = await self.asked(page)
            if self.pages != here:
                return
            if answer is not None and answer.status_code in (200, 201) and isinstance(content(answer), dict):
                self.engagement = (members(answer).get("engagementDetails") or [None])[0]
                return
            loading = self.name_from(answer)
            if loading and schedule[0] == SCHEDULE[0]:
                schedule = list(MONITORING)
            refused = answer is not None and 400 <= answer.status_code < 500 and answer.status_code != 429
            if refused or not schedule:
                return
            await self.world.clock.sleep(pause(self.world.habits, schedule.pop(0), retry_after(answer) if answer is not None else 0))

    async def asked(self, page):
        """The answer, or `None` where none came."""
        if self.visitor:
            return await self.call(page)
        async with self.naming:
            return await self.call(page)

    async def call(self, page):
        query = {"v": "1.0" if self.world.variant.ios else "1.1"}
        if not self.world.habits.has("forgets-the-visitor"):
            query |= {name: value for name, value in (("vid", self.visitor), ("sid", self.visit)) if value}
        body = {
            "clientProperties": {"appVersion": "1.0", "deviceFamily": "MOBILE", "os": self.world.variant.platform.upper(), "osVersion": "17"},
            "entryPoints": [f"sec://{page}", "lang://English"],
        }
        if not self.world.variant.anonymous:
            body["identities"] = [{"iss": self.world.sandbox.setting("IDENTITY_ISSUER"), "acr": "loa1", "sub": self.world.person}]
        url = self.services.url("smt", f"/api/account/{{account}}/app/{INSTALLATION}/engagement")
        try:
            answer = await self.world.pool.call("POST", url, params=query, json=body)
        except NetworkError:
            return None
        if answer.status_code in (200, 201):
            self.visitor = members(answer).get("visitorId", self.visitor)
            self.visit = members(answer).get("sessionId", self.visit)
        return answer

    def name_from(self, answer):
        """Whether the account is being loaded; the words then name the visitor (LivePerson reference 9.3)."""
        said = members(answer).get("message") if answer is not None else None
        found = re.search(r"vid: ([^\s.,]+)", said or "")
        if found:
            self.visitor = found[1]
        return bool(found)

    def context(self):
        """What a request for a conversation says of the engagement (LivePerson reference 5.7)."""
        if not self.engagement or "campaignId" not in self.engagement:
            return {"conversationContext": {"type": "MobileAppContext", "lang": "en-US"}}
        context = {"type": "SharkContext", "visitorId": self.visitor, "sessionId": self.visit, "lang": "en-US"}
        if "contextId" in self.engagement:
            context["interactionContextId"] = self.engagement["contextId"]
        campaign = {name: self.engagement[name] for name in ("campaignId", "engagementId")}
        return {"campaignInfo": campaign, "conversationContext": context}
