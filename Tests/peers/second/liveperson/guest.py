"""The sign-in of a consumer whom the brand does not know (LivePerson reference 4.1 e and f)."""

from answers import claims, content
from retry import Unavailable, available, standard
from tokens import token_of

UNAUTHENTICATED = "lpTag.taglets.unAuthMessaging.lpUnauthFunction"


class Guest:
    """An anonymous identity, which lives for minutes and is extended with its last token."""

    def __init__(self, world, services, store):
        self.world = world
        self.services = services
        self.store = store

    async def token(self):
        """The LP token; each step is retried for itself. Raises `Refused` or `GaveUp`."""
        self.store.identity = await standard(self.world, self.extended)
        self.world.person = claims(self.store.identity)["sub"]
        connector = await standard(self.world, self.connector)
        url = self.services.url("idp", f"/api/account/{{account}}/app/{connector}/authenticate")

        async def trade():
            return token_of(await self.world.pool.call("POST", url, params={"v": "3.0"}, json={"id_token": self.store.identity}))

        return await standard(self.world, trade)

    async def extended(self):
        before = {"id_token": self.store.identity} if self.store.identity else {}
        url = self.services.url("idp", "/api/account/{account}/anonymous/authorize")
        return token_of(await self.world.pool.call("POST", url, json=before))

    async def connector(self):
        url = self.services.url("acCdnDomain", "/api/account/{account}/configuration/le-connectors/all-connectors")
        answer = available(await self.world.pool.call("GET", url))
        listed = content(answer)
        for each in listed if isinstance(listed, list) else []:
            if each.get("configuration", {}).get("jsMethodName") == UNAUTHENTICATED:
                return each["id"]
        raise Unavailable(f"connectors: {answer.status_code}")
