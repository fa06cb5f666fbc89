"""Which host serves what: the network part of the SDK's `initialize`."""
import os
from concurrent.futures import ThreadPoolExecutor

from failures import Unreachable

NEEDED = ("idp", "asyncMessagingEnt", "pusher", "smt", "swift", "acCdnDomain")


def find_services(web, settings, options):
    """The host of each service; fails as a whole if one of them is not told."""
    base = f"{settings.lookup_url}/api/account/{settings.account}/service"
    if options.parallel_lookup:
        with ThreadPoolExecutor(len(NEEDED)) as pool:
            each = list(pool.map(lambda name: web.ask("GET", f"{base}/{name}/baseURI.json?version=1.0"), NEEDED))
    else:
        each = web.ask("GET", f"{base}/baseURI.json?version=1.0").get("baseURIs", [])
    hosts = {entry["service"]: entry["baseURI"] for entry in each}
    missing = [name for name in NEEDED if not hosts.get(name)]
    if missing:
        raise Unreachable(f"no host is known of {', '.join(missing)}")
    return hosts


def built_in():
    """The hosts that an app may have been built with, for one with the habit of going by them."""
    return dict.fromkeys(NEEDED, os.environ["SPARRING_LIVEPERSON_CSDS_DOMAIN"])
