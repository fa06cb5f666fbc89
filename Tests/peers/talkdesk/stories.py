"""What the people do in each story. Each function tells one story for one person."""

import admin

# Stories in which only the brand's built-in backend misbehaves.
BUILT_IN = ["backend-denies", "backend-answers-late-enough", "backend-answers-after-the-limit",
            "assertion-signed-by-another-key", "token-in-a-foreign-push"]
# Stories of Talkdesk ID or of the gateway.
TALKDESK = ["client-assertion-with-a-wrong-key", "code-reused-at-talkdesk-id", "gateway-refuses-every-token",
            "talkdesk-id-is-overloaded", "token-expires-mid-interaction", "token-lifetime-changes",
            "token-revoked-mid-interaction"]
ALL = BUILT_IN + TALKDESK

DEVICE = "brand-app-phone"


class NotTold(Exception):
    """The story could not be played to its end."""


def need(happened, what, person):
    if not happened:
        raise NotTold("%s: %s" % (what, person.failures[-1] if person.failures else "no reason"))


def talk(person, pauses=(), think=0, agent_ends=False, besides=None):
    """One interaction: the agent joins, both talk, and one of them ends it. `pauses` are waits between texts."""
    need(person.begin(), "no interaction", person)
    admin.agent_joins(person.interaction)
    need(person.look(), "nothing was read", person)
    need(person.conversation["state"] == "connected", "the agent is not there", person)
    for number, pause in enumerate((think, *pauses)):
        person.think(pause)
        need(person.say("Where is order %d?" % (1001 + number)), "nothing was said", person)
        if besides:
            besides(number)
        admin.agent_says(person.interaction, "I have a look.")
        need(person.look(), "nothing was read", person)
        # No matter who said it: there may be other authors than these two some day.
        said = [text["author"] for text in person.conversation["messages"]]
        need(len(said) == 2 * (number + 1) >= 2 * max(said.count("agent"), said.count("person")), "a text is missing", person)
    if agent_ends:
        admin.agent_closes(person.interaction)
        need(person.look(), "nothing was read", person)
        need(person.conversation["state"] == "ended", "the interaction goes on", person)
    else:
        need(person.leave(), "the interaction did not end", person)


def tell(scenario, person, **how):
    """Tells the story for one person."""
    think = how.get("think", 0)
    if scenario == "gateway-refuses-every-token":
        need(not person.begin(), "the gateway took a token", person)
    elif scenario == "token-expires-mid-interaction":
        talk(person, pauses=(max(90 - think, 0), think), **how)
    elif scenario == "token-lifetime-changes":
        talk(person, pauses=(65, 35), **how)
    elif scenario == "token-in-a-foreign-push":
        if think:
            need(person.begin(), "no interaction", person)
            need(person.leave(), "the interaction did not end", person)
            person.restart()
        admin.wait_for_push(DEVICE, 60)
        talk(person, pauses=(think,), **how)
    else:
        talk(person, pauses=(think, think), **how)
