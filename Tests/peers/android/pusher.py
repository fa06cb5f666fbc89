"""LivePerson's pusher: which device gets the pushes, and how much is unread."""
import asyncio
from contextlib import suppress
from urllib.parse import quote

import timing
from failures import Refused, SignInFailed, TokenRefused
from habits import has

APP_ID = "com.brand.app"


class Pusher:
    """The calls of the service `pusher`, each with the retries of the standard policy."""

    def __init__(self, web, policy, account, hosts, identity):
        self.web, self.policy, self.account, self.hosts, self.identity = web, policy, account, hosts, identity

    async def register(self, device_token):
        """Has the consumer's pushes sent to this device."""
        body = {"deviceToken": device_token, "pushType": "FCM", "lang": "en-US"}
        if has("insists-on-a-bad-registration"):
            await self.insist(body | {"deviceToken": ""})
        answer = await self.call("PUT", f"/registrations/{quote(APP_ID)}", body)
        answer.object()

    async def unregister(self):
        """Ends every push to the consumer's device; no harm where there is none."""
        # "User is logged out of the App" 2: fully, since this app has no proactive messages for people who are logged out.
        app = "com.brand.other" if has("unregisters-another-app") else APP_ID
        await self.call("DELETE", f"/registrations/{quote(app)}?type=ALL")

    async def unread(self):
        """How many messages the consumer has not received."""
        return (await self.call("GET", f"/unread?appId={quote(APP_ID)}")).object()["total"]

    async def insist(self, body):
        """Registers ten times with what is refused."""
        for _ in range(10):
            with suppress(Refused):
                await self.call("PUT", f"/registrations/{quote(APP_ID)}", body)
            await timing.wait(1)

    async def call(self, method, path, body=None):
        """A call with the token that there is, and once more with a fresh one if that is refused."""
        renewed = False
        while True:
            token = self.identity.token or await self.identity.sign_in()
            once = method == "DELETE" and has("unregisters-once", "unregisters-in-passing") or method == "GET" and has("does-not-count-again")
            try:
                if once:
                    return await self.send(method, path, body, token, None)
                return await self.policy.run(lambda moment: self.send(method, path, body, token, moment))
            except TokenRefused as refusal:
                # "The SDK encounters an authentication failure": new details from the brand, never the old token again.
                if renewed:
                    raise SignInFailed(f"the pusher refuses a fresh token: {refusal}") from refusal
                renewed = True
                await self.identity.renew(token)

    async def send(self, method, path, body, token, moment):
        """One request."""
        url = f"https://{self.hosts['pusher']}/mock/pusher/account/{self.account}{path}"
        headers = {"Authorization": f"Bearer {token}"}
        if has("registers-without-credentials") and method == "PUT" or has("counts-without-credentials") and method == "GET":
            del headers["Authorization"]
        if has("counts-twice") and method == "GET":
            asyncio.create_task(self.web.call(method, url, headers=headers, moment=moment))
        answer = await self.web.call(method, url, headers=headers, body=body, moment=moment)
        if answer.status == 401:
            raise TokenRefused(repr(answer.body[:200]))
        answer.check()
        if method != "DELETE":
            answer.object()  # an answer that cannot be read is tried again
        return answer
