"""The messaging SDK as the app sees it: `initialize`, `registerLPPusher`, `showConversation`, `logout` and so on."""
import os

from domains import SERVICES, look_up
from habits import has
from identity import AnonymousIdentity, BrandIdentity
from login import Login
from monitoring import Monitoring
from pusher import Pusher
from window import Window


class Sdk:
    """Holds what it stores about a user in `disk`, which outlives the process of the app, until `logout`."""

    def __init__(self, web, policy, options, disk, receiver):
        self.web, self.policy, self.options, self.disk, self.receiver = web, policy, options, disk, receiver
        self.account = os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
        self.hosts = self.identity = self.pusher = self.monitoring = None

    async def initialize(self, brand, moment=None):
        """Finds LivePerson's services. `brand` is None for a user who does not sign in."""
        if not (self.web.hosts and has("looks-the-services-up-once")):
            self.web.hosts = await look_up(self.web, self.account, self.options, moment)
        self.equip(brand, self.web.hosts)

    def equip(self, brand, hosts=None):
        """Makes what there is for each service, on hosts that were looked up, or that the app was built with."""
        self.hosts = hosts or dict.fromkeys(SERVICES, os.environ["SPARRING_LIVEPERSON_CSDS_DOMAIN"])
        login = Login(self.web, self.account, self.hosts)
        if brand:
            self.identity = BrandIdentity(login, self.policy, self.disk, brand)
        else:
            self.identity = AnonymousIdentity(login, self.policy, self.disk)
        user, issuer = brand and brand.user, os.environ["SPARRING_IDENTITY_ISSUER"]
        self.pusher = Pusher(self.web, self.policy, self.account, self.hosts, self.identity)
        self.monitoring = Monitoring(self.web, self.policy, self.account, self.hosts, issuer, user, self.disk)

    async def register_pusher(self, device_token):
        """`registerLPPusher`. That it was tried is kept: what was tried may have been done."""
        self.disk.setdefault("registration", "wanted")
        if not self.identity.token:
            await self.identity.sign_in()
        self.disk["registration"] = "tried"
        await self.pusher.register(device_token)
        self.disk["registration"] = "done"

    async def logout(self):
        """`logout`: unregisters from pushes, then removes all data about the user. Fails where unregistering fails."""
        if self.disk.get("registration") in ("tried", "done") and not has("forgets-to-unregister"):
            await self.pusher.unregister()
        self.reset()

    def reset(self):
        """Removes everything that is stored about the user."""
        self.disk.clear()

    def show_conversation(self, engagement):
        """The window that `showConversation` opens."""
        return Window(self, engagement)
