"""Talkdesk's gateway, which interactions are opened at (Talkdesk reference 3.5)."""

from events import Answered
from shared.pool import NetworkError
from shared.sandbox import Sandbox


class Gateway:
    """One call, one `Answered`."""

    def __init__(self, pool):
        self.pool = pool
        self.address = Sandbox.setting("TALKDESK_GATEWAY_URL") + "/visual-sessions/interactions"

    async def send(self, call):
        headers = {"Authorization": f"Bearer {call.token}"} if call.token else {}
        try:
            answer = await self.pool.call(call.method, self.address + call.path, headers=headers, json=call.body)
        except NetworkError:
            return Answered(call)
        return Answered(call, answer.status_code, answer.json() if answer.content else {})
