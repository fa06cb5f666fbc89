"""The push token of this installation, as the vendor knows it (Khoros reference 1.8)."""

import habits


class Registration:
    """Reports a token where there is a user and the token has changed, and again where that failed."""

    def __init__(self, owner):
        self.owner = owner
        self.store = owner.store
        self.token = None
        self.under_way = None

    def set_token(self, promise, token):
        self.token = token
        self.report()
        promise.set_result(None)

    def report(self):
        known = () if habits.has("reports-the-token-at-each-return") else (self.store.reported_token, self.under_way)
        if not self.store.app_user_id or not self.token or self.token in known:
            return
        token = self.under_way = self.token
        body = {"pushNotificationToken": token}
        if self.owner.variant.platform == "ios":
            body["integrationId"] = self.owner.wire.integration_id
        path = f"{self.owner.session.user_path()}/clients/{self.store.client_id}"
        # Where the policy does not repeat it, the next start or return does.
        soon = self.owner.variant.repeats_push_token_soon
        self.owner.calls.make("PUT", path, body, lambda answer: self.on_answer(token, answer), follows_policy=soon)

    def on_answer(self, token, answer):
        self.under_way = None
        if answer.good or habits.has("never-repeats-the-push-token"):
            self.store.reported_token = token

    def on_carried(self):
        """A login or a creation has carried the token in its body."""
        self.store.reported_token = self.token
