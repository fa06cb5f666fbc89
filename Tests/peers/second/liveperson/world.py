"""What every part of the client is given."""

import ssl
from dataclasses import dataclass, replace

from habits import Habits
from shared.clock import Clock
from shared.pool import Pool
from shared.sandbox import Sandbox
from variants import Variant

LONGEST_CALL = 45  # seconds that a call, or the opening of a socket, may take


@dataclass
class World:
    """The sandbox, the clock and the network; which app this is, and whose."""

    sandbox: Sandbox
    clock: Clock
    pool: Pool
    tls: ssl.SSLContext
    variant: Variant
    habits: Habits
    account: str
    person: str = "ada"

    @classmethod
    def of(cls, variant, habit):
        sandbox = Sandbox(variant.marks)
        tls = ssl.create_default_context(cafile=sandbox.authority)
        clock = Clock(sandbox.scale)
        account = sandbox.setting("LIVEPERSON_ACCOUNT_ID")
        return cls(sandbox, clock, cls.new_pool(tls, clock, variant), tls, variant, Habits(habit), account)

    @staticmethod
    def new_pool(tls, clock, variant):
        resent = (*Pool.IDEMPOTENT, "POST") if variant.resends_posts else Pool.IDEMPOTENT
        return Pool(tls, LONGEST_CALL * clock.scale, resent)

    async def restarted(self):
        """The same for a new process: the connections of the old one are gone."""
        await self.pool.close()
        return replace(self, pool=self.new_pool(self.tls, self.clock, self.variant))

    async def mark(self, name, **members):
        """Tells the sandbox what this person sees or does."""
        await self.sandbox.mark(name, self.person, **members)

    async def close(self):
        await self.pool.close()
        await self.sandbox.close()
