"""The account with which somebody has signed in to the app."""

import asyncio

import habits
from brand import BrandError
from shared.pool import NetworkError


class Account:
    """Keeps the brand's tokens, and gives ASAPP's SDK the context that it asks for (ASAPP reference 2.2)."""

    EARLY = 300

    def __init__(self, brand, clock, store, renews_early):
        self.brand = brand
        self.clock = clock
        self.store = store
        self.renews_early = renews_early
        self.one_at_a_time = asyncio.Lock()

    @property
    def name(self):
        return self.store.get("account")

    async def sign_in(self, name):
        self.keep(await self.brand.sign_in(name))
        self.store["account"] = name

    def keep(self, tokens):
        self.store["tokens"] = tokens
        self.store["expires"] = self.clock.now() + tokens["expires_in"]

    def sign_out(self):
        for name in ("account", "tokens", "expires"):
            self.store.pop(name, None)

    def distrust(self):
        """The token was refused for good: the next context needs another one."""
        self.store["expires"] = 0

    async def context(self, needs_refresh):
        """The documented example of a context; nothing where the brand gives no token."""
        async with self.one_at_a_time:
            if self.must_renew(needs_refresh):
                try:
                    self.keep(await self.brand.renew(self.store["tokens"]["refresh_token"]))
                except (BrandError, NetworkError):
                    return None
            return {"Auth": {"Token": self.store["tokens"]["id_token"]}}

    def must_renew(self, needs_refresh):
        if habits.has("gives-the-old-token-again"):
            return False
        early = self.EARLY if self.renews_early else 0
        return needs_refresh or self.clock.now() >= self.store["expires"] - early
