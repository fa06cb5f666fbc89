"""Who the SDK speaks for, and the LP token that it has for them."""
import asyncio

import timing
from failures import Refused, SignInFailed
from habits import has, patience_with_refusals


class Identity:
    """Keeps the LP token. A caller that needs a sign-in while one is under way shares its outcome."""

    def __init__(self, login, policy, disk):
        self.login, self.policy, self.disk = login, policy, disk
        self.under_way, self.forgiven = None, []

    @property
    def token(self):
        return self.disk.get("token")

    async def sign_in(self):
        """Signs in again and keeps the token."""
        if self.under_way is None or self.under_way.done():
            self.under_way = asyncio.create_task(self.sign_in_once())
            self.under_way.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self.under_way)

    async def renew(self, refused):
        """A token in place of one that was refused; at once where somebody has fetched one already."""
        if self.forgiven.count(refused) < patience_with_refusals():
            self.forgiven.append(refused)
            return refused
        if self.token == refused:
            self.expired()
            self.disk.pop("token")
        return self.token or await self.sign_in()

    async def sign_in_once(self):
        """The sign-in with its retries: for an outage by the standard policy, for a refusal once, with fresh credentials."""
        refusals = 0

        async def attempt(moment):
            nonlocal refusals
            while True:
                try:
                    return await self.obtain_token(moment)
                except Refused as refusal:
                    # "The SDK encounters an authentication failure" 2 and 3: new authentication details for `reconnect`. What
                    # is refused twice is refused for a reason that fresh details do not cure.
                    refusals += 1
                    if refusals == (12 if has("signs-in-in-a-loop") else 3 if has("never-tells-the-user") else 2):
                        raise SignInFailed(str(refusal)) from refusal
                    self.credentials_refused()
                    moment = None
                    if has("signs-in-in-a-loop"):
                        await timing.wait(3)

        self.disk["token"] = await self.policy.run(attempt)
        return self.disk["token"]


class BrandIdentity(Identity):
    """A user of the brand's, by code or JWT."""

    def __init__(self, login, policy, disk, brand):
        super().__init__(login, policy, disk)
        self.brand = brand

    async def obtain_token(self, moment):
        # Each attempt brings a code of its own: a code may be spent though the answer was lost.
        if has("asks-the-brand-twice"):
            await self.brand.credentials()
            self.brand.forget()
        token = await self.login.authenticate(await self.brand.credentials(), moment)
        if has("brings-a-code-again"):
            self.brand.kept = None
        return token

    def credentials_refused(self):
        has("brings-the-brands-old-token") or self.brand.forget()

    def expired(self):
        self.brand.check_session()
        # "The SDK encounters an authentication failure" 1: a new JWT, not the one that the expired token was given for.
        has("brings-the-brands-old-token") or self.brand.forget()


class AnonymousIdentity(Identity):
    """Somebody who never signed in; extended by the external token that has run out."""

    async def obtain_token(self, moment):
        if has("begins-anew-as-nobody"):
            self.disk.pop("external", None)
        self.disk["external"] = await self.login.authorize_anonymous(self.disk.get("external"), moment)
        return await self.login.authenticate_anonymous(self.disk["external"])

    def credentials_refused(self):
        self.disk.pop("external", None)

    def expired(self):
        pass  # what has run out is what the identity is extended with
