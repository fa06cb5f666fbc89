"""Calls over HTTPS, and their retries, for the clients beside this file."""
import asyncio, http.client, json, os, urllib.error, urllib.request

SCALE = float(os.environ.get("SCALE", 1))  # of all waits: 0.1 in a test with --time-scale 0.1
DELAYS = 1, 2, 4, 8, 16  # seconds before each retry; after the last one, the client gives up


class Failed(Exception):
    """A call that failed; without a status, there was no answer, or none that can be read."""

    def __init__(self, what, status=None, headers=()):
        super().__init__(f"{what}: {status or 'no answer'}")
        pause = dict(headers or ()).get("Retry-After", "")
        self.status, self.pause = status, int(pause) if pause.isdigit() else 0
        self.is_refusal = False  # of a credential: another one may be accepted
        self.may_heal = status is None or status == 429 or status >= 500  # anything else would fail again in the same way


def wait_for_answer(method, url, body, token):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(url, body and json.dumps(body).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30 * SCALE) as answer:
            return json.loads(answer.read() or "null")
    except urllib.error.HTTPError as error:
        raise Failed(f"{method} {url}", error.code, error.headers.items())
    except (OSError, http.client.HTTPException, ValueError):  # a lost connection, half an answer, a page of HTML
        raise Failed(f"{method} {url}")


async def call(method, url, body=None, token=None):
    return await asyncio.to_thread(wait_for_answer, method, url, body, token)


async def patiently(attempt):
    """Repeats what failed but may succeed later. After three refusals, each of another credential, one more will not help."""
    refusals = 0
    for delay in (*DELAYS, None):
        try:
            return await attempt()
        except Failed as failure:
            refusals += failure.is_refusal
            if delay is None or refusals == 3 or not failure.may_heal:
                raise
            await asyncio.sleep(max(delay, failure.pause) * SCALE)


# What follows is for the test alone: a real app has its own sign-in, and reports nothing.
ADMIN = f"{os.environ['SPARRING_URL']}/__admin/sandboxes/{os.environ.get('SPARRING_SANDBOX', 'default')}"
ADMIN_TOKEN = os.environ.get("SPARRING_ADMIN_TOKEN")


async def mint(form, subject):
    """What the brand's sign-in gives to the app; a new one each time."""
    return (await call("POST", f"{ADMIN}/credentials", {"form": form, "subject": subject}, ADMIN_TOKEN))["credential"]


async def mark(name, lane, **more):
    """Tells Sparring what only the user sees, so that it is judged too."""
    await call("POST", f"{ADMIN}/journal/marks", {"mark": name, "lane": lane, **more}, ADMIN_TOKEN)


async def tell(words, lane):
    """Tells the user that something was given up."""
    print(words, flush=True)
    await mark("gave-up", lane)
