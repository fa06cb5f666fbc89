"""The user's conversation as this device knows it."""


class Conversation:
    """Messages in order, each once, whether they were read or came over the socket."""

    def __init__(self, description, app_user_id):
        self.id = description["_id"]
        self.app_user_id = app_user_id
        self.messages = {}
        self.unread = 0
        self.update(description)

    def update(self, description):
        for participant in description.get("participants", []):
            if participant["appUserId"] == self.app_user_id:
                self.unread = participant["unreadCount"]

    def take(self, messages):
        """Keeps the messages, and returns those that were not known."""
        new = [message for message in messages if message["_id"] not in self.messages]
        for message in new:
            self.messages[message["_id"]] = message
        return new

    def texts(self):
        return [message.get("text", "") for message in sorted(self.messages.values(), key=lambda message: message["received"])]
