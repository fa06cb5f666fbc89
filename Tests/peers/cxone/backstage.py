"""The other people of a story, and the server's clock: what no app could do."""

import json

from calls import TransportFailure


class Backstage:
    """Plays the agent, and looks into the device's inbox."""

    def __init__(self, settings, calls, notice):
        self.settings = settings
        self.calls = calls
        self.notice = notice

    async def _do(self, method, path, body=None):
        text = json.dumps(body).encode() if body is not None else None
        headers = {"Content-Type": "application/json"} if text else {}
        try:
            answer = await self.calls.send(method, f"{self.settings.admin}{path}", headers, text, 10)
        except TransportFailure as problem:
            self.notice(f"backstage: {path}: {problem}")
            return None
        if not answer.is_good:
            self.notice(f"backstage: {path}: {answer.status} {answer.body[:200].decode('utf-8', 'replace')}")
            return None
        return answer.json() if answer.body else {}

    async def agent(self, act, consumer, **more):
        """Has the agent do something; None where that cannot be."""
        return await self._do("POST", f"/cxone/agent/{act}", dict(more, consumer=consumer))

    async def advance(self, by):
        """Lets time pass in the story."""
        return await self._do("POST", "/clock/advance", {"by": by})

    async def mark(self, mark, lane, **members):
        """Tells the server what is not on the network."""
        return await self._do("POST", "/journal/marks", dict(members, mark=mark, lane=lane))

    async def inbox(self, device):
        """The pushes that came to a device."""
        told = await self._do("GET", f"/devices/{device}/notifications")
        return (told or {}).get("notifications") or []
