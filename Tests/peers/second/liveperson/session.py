"""The sign-in at LivePerson's IDP (LivePerson reference 4), and the LP token that comes of it."""

import asyncio

from answers import claims
from brand import Brand
from guest import Guest
from retry import SCHEDULE, GaveUp, Refused, Unavailable, pause
from shared.pool import NetworkError
from tokens import token_of


class Session:
    """Who is signed in at LivePerson. There is one sign-in at a time, however many ask for it."""

    def __init__(self, world, services, store):
        self.world = world
        self.services = services
        self.brand = Brand(world)
        self.guest = Guest(world, services, store)
        self.token = None
        self.consumer = None  # LivePerson's name of the consumer
        self.stale = False  # whether what the brand gave before must not be used
        self.under_way = None
        self.failure = None  # why the last sign-in has failed; until the user asks again, it is not tried again
        self.refused_credential = None
        self.refused_token = None

    async def sign_in(self, fresh=False):
        """The LP token; `fresh` if it takes a new credential of the brand's. Raises `Refused` or `GaveUp`."""
        if self.failure:
            raise self.failure
        self.stale = self.stale or fresh
        if self.under_way is None:
            self.under_way = asyncio.ensure_future(self.tried())
            self.under_way.add_done_callback(self.ended)
        return await asyncio.shield(self.under_way)

    def ended(self, _):
        self.under_way = None

    def try_again(self):
        """The user asks. What was refused stays refused until the next log-in, but a service may have recovered."""
        if isinstance(self.failure, GaveUp):
            self.failure = None

    def refuse_token(self):
        """The token was refused: the next who needs one signs in, with a new credential (LivePerson reference 5.3 and 13)."""
        self.refused_token = self.refused_token or self.token
        self.stale = True
        if not self.world.habits.has("reuses-the-expired-token"):
            self.token = None

    async def tried(self):
        try:
            self.token = await (self.guest.token() if self.world.variant.anonymous else self.brand_token())
        except (GaveUp, Refused) as error:
            self.failure = error
            raise
        self.consumer = claims(self.token)["sub"]
        self.stale = False
        return self.token

    async def brand_token(self):
        """Tries until it has a token. Trouble is waited out; a refused credential is replaced, but not for ever."""
        failures = refusals = 0
        most = 2 if self.world.variant.flow == "implicit" else 3
        if self.world.habits.has("signs-in-for-ever"):
            most = 30
        while True:
            # A code may be spent although nobody said so, so each try gets another (LivePerson reference 13).
            credential = await self.brand.credential(self.stale)
            try:
                return token_of(await self.authenticate(credential))
            except (Unavailable, NetworkError) as error:
                if failures == len(SCHEDULE):
                    raise GaveUp(str(error)) from error
                await self.world.clock.sleep(pause(self.world.habits, SCHEDULE[failures], getattr(error, "wait", 0)))
                failures += 1
            except Refused:
                refusals += 1
                self.stale = True
                self.refused_credential = self.refused_credential or credential
                if refusals == most:
                    raise
                if refusals > 1:
                    await self.world.clock.sleep(SCHEDULE[min(refusals, len(SCHEDULE)) - 2])

    async def authenticate(self, credential):
        """LivePerson reference 4.1 d."""
        url = self.services.url("idp", "/api/account/{account}/app/default/authenticate")
        return await self.world.pool.call("POST", url, params={"v": "2.0"}, json=credential)
