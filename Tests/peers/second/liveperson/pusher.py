"""The pusher: the registration of the device, and the unread count (LivePerson reference 8)."""

from answers import members
from retry import Refused, Unavailable, available
from shared.pool import NetworkError

APP = "test.brand.app"


class Pusher:
    """Each method is one attempt: the app retries as the standard policy says."""

    def __init__(self, world, services, session):
        self.world = world
        self.services = services
        self.session = session
        self.registered = False

    async def register(self, device):
        body = {"deviceToken": device, "pushType": "APNS" if self.world.variant.ios else "FCM", "lang": "en-US"}
        try:
            answer = await self.call("PUT", f"registrations/{APP}", json=body)
        except NetworkError:
            self.registered = True  # perhaps; a log-out must unregister it then
            raise
        if "registrationId" not in members(answer):
            raise Unavailable(f"register: {answer.status_code}")
        self.registered = True

    async def unregister(self):
        habits = self.world.habits
        if habits.has("unregisters-with-the-refused-credential") and self.session.refused_credential:
            await self.session.authenticate(self.session.refused_credential)
        if habits.has("unregisters-with-the-refused-token"):
            self.session.token = self.session.refused_token or self.session.token
        answer = await self.call("DELETE", f"registrations/{APP}", params={"type": self.world.variant.unregisters})
        if answer.status_code != 204:
            raise Unavailable(f"unregister: {answer.status_code}")
        self.registered = False

    async def unread(self):
        """How many messages the device has not received."""
        answer = await self.call("GET", "unread", params={"appId": APP})
        total = members(answer).get("total")
        if not isinstance(total, int):
            raise Unavailable(f"unread: {answer.status_code}")
        return total

    async def call(self, method, path, **options):
        """One call; a token that is refused is replaced by a fresh one, once (LivePerson reference 8.1 and 13)."""
        url = self.services.url("pusher", "/mock/pusher/account/{account}/" + path)
        for last in (False, True):
            token = self.session.token or await self.session.sign_in()
            answer = await self.world.pool.call(method, url, headers={"Authorization": f"Bearer {token}"}, **options)
            if answer.status_code != 401:
                return available(answer)
            if last:
                raise Refused(f"{method} {path}: 401 {answer.text[:100]}")
            if self.session.token == token:  # else somebody has signed in again meanwhile
                self.session.refuse_token()
                await self.session.sign_in(fresh=True)
