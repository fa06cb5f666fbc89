"""Where the client is played: the addresses it is given, and the mock's admin API. Only stories, marks and the phone's system use the admin API."""

import asyncio
import os
from urllib.parse import quote

import httpx


class Sandbox:
    """The sandbox of one play."""

    def __init__(self, reports_marks):
        self.path = f"{os.environ['SPARRING_URL'].rstrip('/')}/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}"
        self.scale = float(os.environ.get("SPARRING_TIME_SCALE") or 1)
        self.authority = os.environ.get("SPARRING_CA_FILE")
        self.reports_marks = reports_marks
        self.http = httpx.AsyncClient(timeout=60, trust_env=False)
        self.in_order = asyncio.Lock()

    @staticmethod
    def setting(name, default=None):
        """What the environment says of a tenant: `SPARRING_` stands before the name."""
        found = os.environ.get(f"SPARRING_{name}", default)
        if found is None:
            raise SystemExit(f"SPARRING_{name} is not set")
        return found

    async def call(self, method, path, body=None, **parameters):
        """Calls the admin API below this sandbox. Raises `RuntimeError` with its words where it refuses."""
        answer = await self.http.request(method, self.path + path, json=body, params=parameters or None)
        if answer.status_code >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.content else None

    async def mark(self, name, lane, **members):
        """Reports what the network does not show, if this client does; marks keep their order."""
        if self.reports_marks:
            async with self.in_order:
                await self.call("POST", "/journal/marks", {"mark": name, "lane": lane, **members})

    async def notifications(self, device, first, seconds):
        """What Apple or Google has for a device from the number `first` on, which counts from 1; nothing where nothing comes in time."""
        answer = await self.http.get(
            f"{self.path}/devices/{quote(device, safe='')}/notifications/wait",
            params={"since": first, "count": 1, "timeout": f"{int(seconds * self.scale * 1000)}ms"},
        )
        return answer.json().get("notifications", []) if answer.status_code == 200 else []

    async def advance(self, clock, seconds):
        """Sets the sandbox's clock forward, and the phone's with it."""
        await self.call("POST", "/clock/advance", {"by": f"{seconds}s"})
        clock.set_forward(seconds)

    async def close(self):
        await self.http.aclose()
