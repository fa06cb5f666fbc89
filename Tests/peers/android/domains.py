"""LivePerson's domain lookup: which host serves what."""
import asyncio
import os
from urllib.parse import urlsplit

from failures import Unavailable

SERVICES = ("idp", "asyncMessagingEnt", "pusher", "smt", "swift", "acCdnDomain")


async def look_up(web, account, options, moment=None):
    """The hosts of the services that the SDK needs, by name."""
    base = f"{os.environ['SPARRING_TLS_URL']}/api/account/{account}/service"
    if options.parallel:
        calls = [web.call("GET", f"{base}/{name}/baseURI.json?version=1.0", moment=moment) for name in SERVICES]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        for failure in answers:
            if isinstance(failure, BaseException):
                raise failure
        found = [answer.check().object() for answer in answers]
    else:
        answer = await web.call("GET", f"{base}/baseURI.json?version=1.0", moment=moment)
        found = answer.check().object().get("baseURIs", [])
    hosts = {entry["service"]: urlsplit("//" + entry["baseURI"]).netloc for entry in found}
    missing = [name for name in SERVICES if not hosts.get(name)]
    if missing:
        raise Unavailable(f"the lookup does not know {', '.join(missing)}")
    return hosts
