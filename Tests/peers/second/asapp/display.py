"""What the app shows to its user."""

import habits


class Display:
    """The number of unread messages, whether the chat is live, and the conversation. It reports what the network does not show."""

    def __init__(self, world, phone, lane):
        self.world = world
        self.phone = phone
        self.lane = lane
        self.badge = phone.store.get("badge", 0)
        self.live = False
        self.has_agent = False
        self.conversation = []

    def show_badge(self, number):
        self.badge = self.phone.store["badge"] = number
        self.report("badge", value=number)
        self.world.changed()

    def show_live(self, live):
        self.live = live and (self.has_agent or not habits.has("live-only-with-an-agent"))
        self.report("live", value=self.live)

    def show_event(self, name):
        """In the queue counts as live (ASAPP reference 2.5)."""
        self.has_agent = name == "AGENT_ASSIGNED"
        self.show_live(name != "CHAT_CLOSED")

    def show_message(self, message):
        self.conversation.append(message)
        self.world.changed()

    def report(self, mark, **members):
        if self.lane:
            self.world.report(mark, self.lane, self.phone, **members)

    async def reported(self, mark):
        """Before anything else is done."""
        await self.world.reported(mark, self.lane, self.phone)
