"""What a user does in each scenario, in seconds of the sandbox."""

from person import Person
from world import World


async def chat_before_the_sign_in(world):
    somebody = Person(world)
    await somebody.start()
    await somebody.enter_chat()
    await somebody.say("Where is my parcel?")
    await somebody.hears("Where is my parcel?", 20)
    await somebody.interlude()
    await somebody.agent_says("Please sign in, so that I can look for it.")
    await somebody.hears("Please sign in, so that I can look for it.", 20)
    await somebody.app.sign_in("ada")
    await somebody.hears("Where is my parcel?", 40)
    await somebody.say("Now you know me.")
    await somebody.agent_says("It is on its way, Ada.")
    await somebody.hears("It is on its way, Ada.", 20)
    await somebody.interlude()
    somebody.app.leave_chat()
    await somebody.app.read_status()
    await somebody.rest(30)


async def chat_message_throttled(world):
    ada = await Person.come(world)
    await ada.enter_chat()
    await ada.say("Where is my parcel?")
    await ada.agent_says("Which one?")
    await ada.hears("Which one?", 20)
    await ada.say("The red one.")
    await ada.interlude()
    await ada.rest(15)
    ada.app.leave_chat()
    await ada.rest(20)


async def chat_socket_dropped(world):
    ada = await Person.come(world)
    await ada.enter_chat()
    await ada.say("Where is my parcel?")
    await ada.until(lambda: ada.app.entered > 1, 60, "the chat opens again")
    await ada.agent_says("Which one?")
    await ada.hears("Which one?", 20)
    await ada.interlude()
    await ada.say("The red one.")
    await ada.rest(40)
    ada.app.leave_chat()
    await ada.rest(20)


async def context_refused_for_good(world):
    ada = await Person.come(world)
    await ada.until(lambda: ada.app.failures, 30, "the user sees an error")
    await ada.rest(30)
    if world.variant.user == "slow":
        await ada.app.read_status()
    await ada.interlude()
    await ada.rest(40)


async def context_token_expired(world):
    ada = await Person.come(world)
    await ada.interlude()
    await ada.enter_chat()
    await ada.say("Where is my parcel?")
    await ada.hears("Where is my parcel?", 20)
    await ada.rest(10)
    ada.app.leave_chat()
    await ada.app.read_status()
    await ada.rest(30)


async def deregistration_fails(world):
    ada = await Person.come(world)
    await ada.interlude()
    await ada.rest(10)
    await ada.sign_out()
    await ada.rest(15)
    await ada.app.sign_in("bob")
    await ada.interlude()
    await ada.rest(30)


async def deregistration_forgotten(world):
    ada = await Person.come(world)
    await ada.interlude()
    await ada.rest(10)
    await ada.sign_out()
    await ada.rest(5)
    await ada.app.sign_in("bob")
    await ada.interlude()
    await ada.rest(200 - (world.clock.now() - world.clock.began))
    world.expect(not ada.phone.arrived, "bob gets no push of ada's")


async def device_token_renewed(world):
    ada = await Person.come(world)
    await ada.interlude()
    first = ada.phone.token
    await ada.until(lambda: ada.phone.token != first, 90, "the device gets another token")
    await read_the_push(ada)


async def message_while_in_chat(world):
    ada = await Person.come(world)
    await ada.enter_chat()
    await ada.hears("Your parcel waits", 90)
    await ada.interlude()
    await ada.rest(10)
    ada.app.leave_chat()
    await ada.rest(5)
    await ada.put_away()
    await ada.gets_pushes(1, 150)
    await ada.take_up()
    await ada.until(lambda: ada.app.display.badge == 1, 20, "one message is unread")
    await ada.rest(20)


async def read_a_push(world):
    """A message comes while the user does something else; they look, and read it some time later."""
    ada = await Person.come(world)
    await ada.interlude()
    await read_the_push(ada)


async def read_the_push(ada):
    await ada.put_away()
    await ada.gets_pushes(1, 120)
    await ada.rest(12)
    await ada.take_up()
    await ada.until(lambda: ada.app.display.badge == 1, 20, "one message is unread")
    await ada.rest(8)
    await ada.app.open_push()
    await ada.hears("Your parcel waits", 30)
    await ada.until(lambda: ada.app.display.badge == 0, 5, "nothing is unread")
    await ada.rest(10)
    ada.app.leave_chat()
    await ada.look_again()
    await ada.rest(15)


async def endpoint_down(world):
    """The user looks while the push of the first message is still tried, and so has the number before it comes."""
    ada = await Person.come(world)
    await ada.interlude()
    await ada.rest(4)
    await ada.shop_says("Your order is packed")
    await ada.rest(1)
    await ada.app.read_status()
    await ada.until(lambda: ada.app.display.badge == 1, 5, "one message is unread")
    await ada.gets_pushes(1, 20)
    await ada.put_away()
    await ada.gets_pushes(2, 120)
    await ada.rest(12)
    await ada.take_up()
    await ada.until(lambda: ada.app.display.badge == 2, 20, "two messages are unread")
    await ada.app.open_push()
    await ada.hears("Your parcel waits", 30)
    await ada.rest(10)
    ada.app.leave_chat()
    await ada.rest(20)


async def push_of_another_app(world):
    ada = await Person.come(world)
    await ada.interlude()
    await ada.until(lambda: ada.phone.arrived, 90, "the shop's offer arrives")
    await ada.rest(5)
    await ada.look_again()
    await read_the_push(ada)


async def session_ends_in_chat(world):
    ada = await Person.come(world)
    await ada.enter_chat()
    await ada.say("Where is my parcel?")
    await ada.agent_says("Let me see.")
    await ada.hears("Let me see.", 20)
    await ada.rest(110)
    await ada.say("Are you still there?")
    await ada.agent_says("It arrives tomorrow.")
    await ada.hears("It arrives tomorrow.", 30)
    await ada.interlude()
    ada.app.leave_chat()
    await ada.app.read_status()
    await ada.rest(30)


async def status_fails(world):
    """The third time is after the push, on one phone or on two."""
    ada = await Person.come(world)
    if world.variant.devices == 1:
        await ada.look_again()
    await ada.gets_pushes(1, 120)
    await ada.until(lambda: ada.app.display.badge == 1, 10, "one message is unread")
    await ada.rest(5)
    await ada.look_again()
    await ada.until(lambda: ada.app.display.badge == 1, 10, "one message is still unread")
    await ada.rest(20)
    await ada.interlude()
    await ada.look_again()
    await ada.rest(20)


TOLD = {
    "chat-before-the-sign-in": chat_before_the_sign_in,
    "chat-message-throttled": chat_message_throttled,
    "chat-socket-dropped": chat_socket_dropped,
    "context-refused-for-good": context_refused_for_good,
    "context-token-expired": context_token_expired,
    "deregistration-fails": deregistration_fails,
    "deregistration-forgotten": deregistration_forgotten,
    "device-token-renewed": device_token_renewed,
    "endpoint-called-by-a-stranger": read_a_push,
    "endpoint-down": endpoint_down,
    "endpoint-slow": read_a_push,
    "message-while-in-chat": message_while_in_chat,
    "push-of-another-app": push_of_another_app,
    "push-sent-twice": read_a_push,
    "session-ends-in-chat": session_ends_in_chat,
    "status-fails": status_fails,
}


def told(story):
    """As the command line wants it: called with the variant and the habit's name."""

    async def tell(variant, habit):
        await World.play(story, variant, habit)

    return tell


STORIES = {scenario: told(story) for scenario, story in TOLD.items()}
