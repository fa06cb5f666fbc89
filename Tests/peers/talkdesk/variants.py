"""Which clients there are, and who plays which story."""

import threading

import admin
import env
import stories
from app import App, Person
from backend import Backend, CachingBackend, CodeBackend
from delegate import AccessDelegate, BackendDelegate, SamplesDelegate, SignedInDelegate, SlashDelegate
from digital import Digital
from signin import sign_in

APPS = ["app-access", "app-samples", "app-samples-slash", "app-signed-in", "app-two-people", "app-early",
        "app-slow-user", "app-restarts", "app-no-marks", "app-digital", "app-timeout-5s"]
BACKENDS = ["backend-assertion", "backend-basic", "backend-post", "backend-code", "backend-cache", "backend-no-cache"]

# The lane of an app without a sign-in is the operation of its first call.
ACCESS, SAMPLES, SLASH = "talkdesk.fetchAccess", "talkdesk.fetchAppToken", "talkdesk.fetchAppTokenSlash"


def plays():
    for scenario in stories.ALL:
        for variant in APPS + (BACKENDS if scenario in stories.TALKDESK else []):
            yield scenario, variant


def play(scenario, variant):
    if variant.startswith("backend-"):
        play_backend(scenario, variant)
    elif variant == "app-two-people":
        play_two(scenario)
    else:
        play_app(scenario, variant)


def play_app(scenario, variant):
    """One person with one app, which differs by its variant."""
    lane, delegate = {"app-samples": (SAMPLES, SamplesDelegate), "app-samples-slash": (SLASH, SlashDelegate),
                      "app-digital": (SAMPLES, SamplesDelegate)}.get(variant, (ACCESS, AccessDelegate))
    if variant == "app-signed-in":
        tell_signed_in(scenario, "ada")
        return
    patience = 28 if variant == "app-samples-slash" else 60
    limit = 5 if variant == "app-timeout-5s" else 30
    marks = admin.Marks(lane, silent=variant == "app-no-marks")
    how = {}
    if variant == "app-slow-user":
        how["think"] = 25
    if variant == "app-samples":
        how["agent_ends"] = True
    if variant == "app-digital":
        how["besides"] = Digital().beside
    if variant == "app-early" and not scenario.startswith("token-"):
        admin.set_token_lifetime("90s")
        how["think"] = 20

    slow = variant == "app-slow-user"
    person = Person(lambda: App(marks, lambda sdk: delegate(sdk, patience), limit, variant == "app-early"),
                    pause=30 if slow else 5, puts_away=slow)
    if variant == "app-timeout-5s" and scenario == "backend-answers-late-enough":
        stories.need(not person.begin(), "the backend was quick", person)
        return
    stories.tell(scenario, person, **how)
    if variant == "app-restarts" and scenario != "gateway-refuses-every-token":
        person.restart()
        stories.talk(person)


def tell_signed_in(scenario, name):
    marks = admin.Marks(name)
    bearer = sign_in(name)

    def make_delegate(sdk):
        delegate = SignedInDelegate(sdk)
        delegate.bearer = bearer
        return delegate

    stories.tell(scenario, Person(lambda: App(marks, make_delegate)))


def play_two(scenario):
    """Two people on two devices at the same time."""
    errors = []

    def one(name):
        try:
            tell_signed_in(scenario, name)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=one, args=(name,)) for name in ("ada", "grace")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def make_backend(variant, marks):
    if variant == "backend-code":
        return CodeBackend(marks, "basic")
    if variant == "backend-cache":
        return CachingBackend(marks, "assertion")
    return Backend(marks, {"backend-basic": "basic", "backend-post": "post"}.get(variant, "assertion"))


def play_backend(scenario, variant):
    """The backend and its own small app. The app's questions are no requests of the network, so it tells none."""
    backend = make_backend(variant, admin.Marks(env.talkdesk("CLIENT_ID")))

    def make_delegate(sdk):
        delegate = BackendDelegate(sdk)
        delegate.backend = backend
        return delegate

    person = Person(lambda: App(admin.Marks("", silent=True), make_delegate))
    stories.tell(scenario, person)
    if variant in ("backend-cache", "backend-no-cache", "backend-code") and scenario != "gateway-refuses-every-token":
        person.restart()
        stories.talk(person)
