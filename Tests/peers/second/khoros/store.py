"""What an installation of the app keeps on disk."""

import secrets
from dataclasses import dataclass, field


@dataclass
class Store:
    """Survives the process, and is gone with the app."""

    client_id: str = field(default_factory=lambda: secrets.token_hex(16))
    user_id: str | None = None
    jwt: str | None = None
    app_user_id: str | None = None
    session_token: str | None = None
    reported_token: str | None = None

    def forget_user(self):
        self.user_id = self.jwt = self.app_user_id = self.session_token = self.reported_token = None
