"""The login service, service agentVep."""

from typing import NamedTuple

import requests
from failures import Failure, retry_after


class Session(NamedTuple):
    bearer: str
    csrf: str
    cookie: str  # None where the bot keeps none
    user_id: str
    user_pid: str


class Login:
    """Signs the bot in and out, and extends its session."""

    def __init__(self, sandbox, keeps_cookie):
        self.sandbox, self.keeps_cookie = sandbox, keeps_cookie
        self.http = requests.Session()
        self.http.trust_env = False

    def sign_in(self, password="agent-secret"):
        answer = self.call("login", {"username": "agent", "password": password})
        told = answer.json()
        cookie = answer.cookies.get("Session_id") if self.keeps_cookie else None
        return Session(told["bearer"], told["csrf"], cookie, told["config"]["userId"], told["config"]["userPid"])

    def refresh(self, session):
        self.call("refresh", {"csrf": session.csrf}, session)

    def sign_out(self, session):
        self.call("logout", {"csrf": session.csrf}, session)

    def call(self, operation, body, session=None):
        """The answer if the call succeeded; a Failure otherwise."""
        headers = {"User-Agent": "sparring-peer-bot/1"}
        if session:
            headers |= {"Cookie": f"Session_id={session.cookie}"} if session.cookie else {"Authorization": f"Bearer {session.bearer}"}
        url = f"{self.sandbox.url}/api/account/{self.sandbox.account}/{operation}?v=1.3"
        try:
            answer = self.http.post(url, json=body, headers=headers, timeout=self.sandbox.timeout(60))
        except requests.RequestException as error:
            raise Failure(operation, words=f"no answer, {error}") from error
        finally:
            self.http.cookies.clear()  # which cookie is sent is said above
        if not answer.ok:
            raise Failure(operation, answer.status_code, retry_after=retry_after(answer.headers))
        return answer
