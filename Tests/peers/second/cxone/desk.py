"""The agents' side, which the story plays."""


class Desk:
    """Acts for the brand's first agent, through the mock's admin API."""

    def __init__(self, sandbox):
        self.sandbox = sandbox

    async def say(self, visitor, text):
        await self.sandbox.call("POST", "/cxone/agent/say", {"consumer": visitor, "text": text})

    async def close(self, visitor):
        await self.sandbox.call("POST", "/cxone/agent/close", {"consumer": visitor})
