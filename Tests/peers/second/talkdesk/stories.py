"""What the people do in each scenario. All seconds are the sandbox's."""

import asyncio

from user import User
from world import World

BUILT_IN_BACKEND = ("assertion-signed-by-another-key", "backend-answers-after-the-limit", "backend-answers-late-enough", "backend-denies")


def fits(scenario, variant):
    """Whether the scenario can happen to the variant."""
    if scenario in BUILT_IN_BACKEND:
        return not variant.own_backend
    if scenario == "client-assertion-with-a-wrong-key":
        return not variant.own_backend or variant.proof == "assertion"
    if scenario == "code-reused-at-talkdesk-id":
        return variant.own_backend and variant.grant == "authorization_code"
    return True


async def chat(user):
    """A question, an answer, and a while in the app."""
    await user.open_chat()
    await user.say("Where is my order?")
    await user.hear("Let me look.")
    await user.linger(40)
    await user.say("Is it on its way?")
    await user.hear("It is.")
    await user.linger(10)
    await user.close_chat()


async def chat_twice(user):
    """The second interaction needs no new token while the first one holds."""
    await chat(user)
    await user.linger(5)
    await user.open_chat()
    await user.say("One more thing.")
    await user.hear("Yes?")
    await user.close_chat()


async def chat_in_vain(user):
    """The user sees an error, tries again after a while, gets another one, and comes back much later."""
    await user.open_chat_in_vain()
    await user.pause(user.patience)
    await user.open_chat_in_vain()
    await user.pause(40)
    await user.open_chat_in_vain()
    await user.pause(10)


async def chat_with_a_pause(user):
    await user.open_chat()
    await user.say("Where is my order?")
    await user.hear("Let me look.")
    await user.linger(90)
    await user.say("Are you still there?")
    await user.hear("I am.")
    await user.linger(30)
    await user.close_chat()


async def chat_for_long(user):
    await user.open_chat()
    for number in range(1, 8):
        await user.say(f"Question {number}")
        await user.hear(f"Answer {number}")
        await user.linger(20)
    await user.close_chat()


async def chat_after_the_push(user):
    """The push of another sender comes after ten seconds."""
    await user.see_a_push(30)
    await user.linger(5)
    await chat(user)


async def chat_around_the_lost_answer(user):
    """The second question is refused once."""
    await user.open_chat()
    for number in range(1, 5):
        await user.say(f"Question {number}")
        await user.hear(f"Answer {number}")
        await user.linger(12)
    await user.close_chat()


def story(act):
    """The same act by all the people of the variant at once."""

    async def play(variant, habit):
        async with World(variant, habit) as world:
            await asyncio.gather(*(act(User(world, phone)) for phone in world.phones))

    return play


STORIES = {
    "assertion-signed-by-another-key": story(chat),
    "backend-answers-after-the-limit": story(chat),
    "backend-answers-late-enough": story(chat_twice),
    "backend-denies": story(chat),
    "client-assertion-with-a-wrong-key": story(chat),
    "code-reused-at-talkdesk-id": story(chat),
    "gateway-refuses-every-token": story(chat_in_vain),
    "talkdesk-id-is-overloaded": story(chat),
    "token-expires-mid-interaction": story(chat_with_a_pause),
    "token-in-a-foreign-push": story(chat_after_the_push),
    "token-lifetime-changes": story(chat_for_long),
    "token-revoked-mid-interaction": story(chat_around_the_lost_answer),
}
