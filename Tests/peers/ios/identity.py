"""Signing in at LivePerson, and what to do when that is refused."""
import threading
from contextlib import suppress

from clock import Retries
from failures import AuthenticationFailed, Cancelled, Refused, SessionOver, TokenRefused, Unreachable
from habits import has, patience_with_refusals
from web import claims, meaning


class Identity:
    """One user's authentication: the brand's credential, and the LivePerson token that was given for it."""

    def __init__(self, user, app):
        self.user, self._app = user, app
        self.token = None
        self._credential = None
        self._lock = threading.Lock()
        self._rounds, self._failure, self._forgiven = 0, None, []
        self._retries, self._refusals = Retries(app.clock, app.options), 0

    @property
    def consumer(self):
        """LivePerson's own id of the consumer, as the token names it."""
        return claims(self.token)["sub"]

    def sign_in(self, cancel=None, refused=None):
        """Signs in with authentication parameters; with fresh ones where the token `refused` was not accepted.

        A caller that asks while another sign-in is under way shares its outcome."""
        rounds = self._rounds
        with self._lock:
            if refused is not None and self.token not in (None, refused):
                return self.token
            if self._rounds != rounds:
                if self._failure:
                    raise self._failure
                return self.token
            if refused is not None and self._forgiven.count(refused) < patience_with_refusals():
                self._forgiven.append(refused)
                return refused
            if self._app.brand.session_over:
                raise SessionOver("the brand has logged the user out")
            if refused is not None:
                self.token, self._credential = None, self._credential if has("brings-the-brands-old-token") else None
            try:
                self.token, self._failure = self._attempts(cancel), None
            except Cancelled:
                raise
            except Exception as failure:
                self._failure = failure
                raise
            finally:
                self._rounds += 1
            return self.token

    def _attempts(self, cancel):
        def prepare():
            self._app.web.warm(self._url())
            self._obtain(cancel)

        self._retries.begin(cancel)
        self._obtain(cancel)
        while True:
            try:
                token = self._exchange()
                self._retries.reset()
                self._refusals = 0
                if has("brings-a-code-again"):
                    self._credential = None
                return token
            except AuthenticationFailed:
                # "The SDK encounters an authentication failure": new details are retrieved and passed on. If LivePerson
                # refuses fresh ones too, more of the same will not help.
                if not has("brings-the-brands-old-token"):
                    self._credential = None
                self._refusals += 1
                if self._refusals == (12 if has("signs-in-in-a-loop") else 3 if has("never-tells-the-user") else 2):
                    self._refusals = 0
                    raise
                self._retries.wait(self._app.clock.varied(3 if has("signs-in-in-a-loop") else 1), prepare)
            except Unreachable as failure:
                self._retries.pause(failure, prepare)

    def _obtain(self, cancel):
        """"Authentication Params when and why": a JWT is used again, a code never."""
        keeps_codes = has("brings-a-code-again", "brings-one-code-each-time")
        if has("asks-the-brand-twice"):
            self._app.brand.credential(self.user, cancel)
        if self._credential is None or "code" in self._credential and not keeps_codes:
            self._credential = self._app.brand.credential(self.user, cancel)

    def _url(self):
        return (f"https://{self._app.services['idp']}/api/account/{self._app.settings.account}"
                "/app/default/authenticate?v=2.0")

    def _exchange(self):
        if has("calls-twice"):
            threading.Timer(self._app.clock.real(5), self._again, [self._credential, self._rounds]).start()
        return self._trade(self._url(), self._credential, "jwt")

    def _again(self, credential, rounds):
        """A second sign-in beside the first, where that takes long."""
        if self._rounds == rounds:
            with suppress(Unreachable):
                self._app.web.call("POST", self._url(), body=credential)

    def _trade(self, url, body, member):
        """Hands something over for a token."""
        answer = self._app.web.call("POST", url, body=body)
        if answer.status == 200 and isinstance(answer.body, dict) and claims(answer.body.get(member)):
            return answer.body[member]
        if answer.status == 500 and isinstance(answer.body, dict) and "internalErrorCode" in answer.body:
            # LivePerson reference 4.3: LivePerson's own refusal has status 500 and this member; a gateway's has not.
            raise AuthenticationFailed(f"sign-in refused: {answer.text[:200]}")
        failure = meaning(answer, "sign-in")
        raise AuthenticationFailed(str(failure)) if isinstance(failure, (Refused, TokenRefused)) else failure


class AnonymousIdentity(Identity):
    """Somebody who never signed in at the brand: the identity is LivePerson's own and is extended with itself."""

    _connector = None

    def _obtain(self, cancel):
        """Nothing comes from the brand."""

    def _exchange(self):
        account = f"/api/account/{self._app.settings.account}"
        if self._connector is None:
            every = self._app.web.ask("GET", f"https://{self._app.services['acCdnDomain']}{account}/configuration"
                                             "/le-connectors/all-connectors")
            self._connector = next(one["id"] for one in every if one["configuration"].get("jsMethodName")
                                   == "lpTag.taglets.unAuthMessaging.lpUnauthFunction")
        base, memory = f"https://{self._app.services['idp']}{account}", self._app.memory
        if has("begins-anew-as-nobody"):
            memory.anonymous_token = None
        if self._credential is None:
            # LivePerson reference 4.1 f: the previous token, though it has run out, extends the identity.
            memory.anonymous_token = self._trade(
                f"{base}/anonymous/authorize", {"id_token": memory.anonymous_token} if memory.anonymous_token else {}, "token")
            self._credential = {"id_token": memory.anonymous_token}
        return self._trade(f"{base}/app/{self._connector}/authenticate?v=3.0", self._credential, "token")
