"""Apple's and Google's part: it brings pushes to phones."""


class TokenGone(Exception):
    """No device has this token, or no longer (APNs answers 410 Unregistered)."""


class PushService:
    """Knows each phone by its present token."""

    def __init__(self):
        self.phones = {}

    def connect(self, phone):
        self.phones[phone.token] = phone

    def renew(self, phone, token):
        self.phones.pop(phone.token, None)
        self.phones[token] = phone

    def deliver(self, token, payload):
        if token not in self.phones:
            raise TokenGone(token)
        self.phones[token].arrive(payload)
