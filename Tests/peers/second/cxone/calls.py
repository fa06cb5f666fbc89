"""HTTP, as the SDK uses it: an answer is an event."""

import asyncio
import json

from shared.pool import NetworkError, Pool


class Calls:
    """Sends requests and posts what comes back: `status` is `None` where there was no answer, and `body` where it is not JSON."""

    LIMIT = 40  # seconds; Android's (CXone reference 3.0)

    def __init__(self, events, wire, authority):
        self.events = events
        self.wire = wire
        self.pool = Pool(authority, self.LIMIT * events.clock.scale)
        self.tasks = set()

    def send(self, event, method, url, body=None, headers=None, **facts):
        task = asyncio.create_task(self.perform(event, method, url, body, headers or self.wire.headers(body is not None), facts))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def perform(self, event, method, url, body, headers, facts):
        status, found = await self.ask(method, url, body, headers)
        self.events.post(event, status=status, body=found, **facts)

    async def ask(self, method, url, body, headers):
        try:
            answer = await self.pool.call(method, url, headers=headers, content=None if body is None else json.dumps(body))
        except NetworkError:
            return None, None
        try:
            return answer.status_code, answer.json()
        except ValueError:
            return answer.status_code, None

    async def stop(self):
        for task in list(self.tasks):
            task.cancel()
        await self.pool.close()
