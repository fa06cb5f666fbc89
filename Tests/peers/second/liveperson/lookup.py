"""CSDS: which host serves which service (LivePerson reference 2)."""

from urllib.parse import urlsplit

from answers import members
from retry import Unavailable

NEEDED = ("idp", "asyncMessagingEnt", "pusher", "smt", "swift", "acCdnDomain")


class Services:
    """The hosts of the account's services."""

    def __init__(self, world):
        self.world = world
        self.hosts = {}

    async def look_up(self):
        """Finds them all, in one call or in several. Raises `Unavailable` or `NetworkError`."""
        if self.world.variant.lookup == "all":
            found = (await self.ask("")).get("baseURIs", [])
            self.hosts = {each["service"]: each["baseURI"] for each in found}
        else:
            self.hosts = {name: (await self.ask(f"{name}/")).get("baseURI") for name in NEEDED}
        if not all(self.hosts.get(name) for name in NEEDED):
            raise Unavailable("the lookup does not name all services")

    async def ask(self, name):
        domain = urlsplit(self.world.sandbox.setting("TLS_URL")).netloc  # the one that has the defects of a scenario about TLS
        url = f"https://{domain}/api/account/{self.world.account}/service/{name}baseURI.json"
        answer = await self.world.pool.call("GET", url, params={"version": "1.0"})
        if answer.status_code != 200:
            raise Unavailable(f"lookup: {answer.status_code}")
        return members(answer)

    def url(self, service, path):
        """An address at a service; the account stands for itself in the path."""
        return f"https://{self.hosts[service]}{path.replace('{account}', self.world.account)}"
