"""The pusher: which device gets the pushes, and how many messages are unread."""
import threading
from contextlib import suppress

from clock import Retries
from failures import AuthenticationFailed, Cancelled, Refused, TokenRefused, Unreachable
from habits import has


class Pusher:
    """Calls of the pusher with the standard retry policy, and fresh credentials where the token is refused."""

    def __init__(self, app, identity, cancel):
        self._app, self._identity, self._cancel = app, identity, cancel

    def register(self, device_token):
        """`registerPushNotifications`, with authentication parameters ("User Logs into the App" 3)."""
        self._call("PUT", self._registration(), {"deviceToken": device_token, "pushType": "APNS", "lang": "en-US"})

    def insist(self):
        """Registers ten times with what is refused."""
        for _ in range(10):
            with suppress(Refused):
                self.register("")
            self._app.clock.wait(1, self._cancel)

    def unregister(self):
        """What `logout` does first: no push of any kind comes for this user any more."""
        path = "/registrations/test.other.app" if has("unregisters-another-app") else self._registration()
        self._call("DELETE", f"{path}?type=ALL")

    def unread(self):
        """`getUnreadMessagesCount` ("User Logs into the App" 5)."""
        return self._call("GET", f"/unread?appId={self._app.settings.app_id}")["total"]

    def _beside(self, url, token):
        """Asks for the count a second time."""
        with suppress(Unreachable):
            self._app.web.call("GET", url, headers={"Authorization": f"Bearer {token}"})

    def _registration(self):
        return f"/registrations/{self._app.settings.app_id}"

    def _call(self, method, path, body=None):
        app = self._app
        url = f"https://{app.services['pusher']}/mock/pusher/account/{app.settings.account}{path}"
        retries, renewed = Retries(app.clock, app.options, self._cancel), False
        is_bare = has("registers-without-credentials") and method == "PUT" or has("counts-without-credentials") and method == "GET"
        if method == "DELETE" and has("unregisters-once", "unregisters-in-passing") or method == "GET" and has("does-not-count-again"):
            retries.schedule(())
        while not self._cancel.is_set():
            # The credentials there are serve for all calls ("Checking for unread messages").
            token = None if has("signs-in-for-each-call") else self._identity.token
            token = token or self._identity.sign_in(self._cancel)
            if method == "GET" and has("counts-twice"):
                threading.Thread(target=self._beside, args=[url, token], daemon=True).start()
            try:
                return app.web.ask(method, url, body=body, headers={} if is_bare else {"Authorization": f"Bearer {token}"})
            except TokenRefused as failure:
                if renewed:
                    raise AuthenticationFailed(f"a fresh token is refused too: {failure}") from failure
                renewed = True
                self._identity.sign_in(self._cancel, refused=token)
            except Unreachable as failure:
                retries.pause(failure, prepare=lambda: app.web.warm(url))
        raise Cancelled()
