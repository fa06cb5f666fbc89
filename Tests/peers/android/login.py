"""LivePerson's sign-in service: trades what the brand gave for an LP token."""
import asyncio
import base64
import json

import timing
from failures import Refused, Unavailable
from habits import has


class Login:
    """The calls of the service `idp`."""

    def __init__(self, web, account, hosts):
        self.web, self.account, self.hosts = web, account, hosts
        self.closed_until = None  # the moment until which it asked to be left alone
        self.connector = None

    async def authenticate(self, credentials, moment=None):
        """The LP token for a code or a JWT."""
        answer = await self.post("/app/default/authenticate?v=2.0", credentials, moment)
        return told_token(answer, "jwt")

    async def authorize_anonymous(self, previous=None, moment=None):
        """The external token of somebody who never signed in; extended where there is a previous one."""
        answer = await self.post("/anonymous/authorize", {"id_token": previous} if previous else {}, moment)
        return told_token(answer, "token")

    async def authenticate_anonymous(self, external):
        """The LP token for an external token."""
        if self.connector is None:
            self.connector = await self.find_connector()
        answer = await self.post(f"/app/{self.connector}/authenticate?v=3.0", {"id_token": external}, None)
        return told_token(answer, "token")

    async def find_connector(self):
        """The id of the account's connector for messaging without a sign-in."""
        url = f"https://{self.hosts['acCdnDomain']}/api/account/{self.account}/configuration/le-connectors/all-connectors"
        answer = (await self.web.call("GET", url)).check()
        for connector in json.loads(answer.body):
            if connector.get("configuration", {}).get("jsMethodName") == "lpTag.taglets.unAuthMessaging.lpUnauthFunction":
                return connector["id"]
        raise Refused("the account has no connector for anonymous consumers")

    async def post(self, path, body, moment):
        """One call, not before the service wants to be called."""
        if self.closed_until is not None and not has("ignores-retry-after", "retries-at-once", "halves-retry-after"):
            moment = max(self.closed_until, moment or 0.0)
            await timing.wait_before(moment)
            self.closed_until = None
        url = f"https://{self.hosts['idp']}/api/account/{self.account}{path}"
        calling = asyncio.create_task(self.web.call("POST", url, body=body, moment=moment))
        if has("calls-twice"):
            await asyncio.wait({calling}, timeout=timing.real(5))
            calling.done() or asyncio.create_task(self.web.call("POST", url, body=body))
        answer = await calling
        if answer.status == 500 and not answer.is_page() and b"internalErrorCode" in answer.body:
            # LivePerson refuses with 500, for the client's mistakes too; the code in the body tells it from an outage.
            raise Refused(f"sign-in refused: {answer.body[:200].decode('utf-8', 'replace')}", 500)
        try:
            return answer.check().object()
        except Unavailable as failure:
            if failure.retry_after is not None:
                self.closed_until = timing.moment_in(failure.retry_after)
            raise


def told_token(answer, member):
    """The token in an answer; without one the sign-in is as good as unanswered."""
    token = answer.get(member)
    if not isinstance(token, str) or token.count(".") != 2:
        raise Unavailable("the sign-in's answer has no token")
    return token


def consumer_of(token):
    """The consumer's id: the claim `sub` of an LP token."""
    return claims(token)["sub"]


def claims(token):
    """The claims of a token, unchecked."""
    middle = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
