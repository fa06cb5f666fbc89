"""Stories in which a JWT is refused or a login takes long."""

import asyncio


async def writes_after_the_jwt_has_expired(scene):
    phone = await scene.customer("ben")
    await phone.app.write("Where is my order?")
    await scene.time_passes(phone)
    await scene.business_writes("Which order?", consumer="ben")
    await phone.app.sees("Which order?")
    await scene.clock.sleep(120)
    app = phone.app
    if scene.variant.user == "hasty":
        # What is sent at once fails at once.
        await asyncio.gather(app.write("The one of Monday"), app.write("Number 7"), app.sdk.read_messages())
    else:
        await app.write("The one of Monday")
    await scene.clock.sleep(10)
    await scene.business_writes("It is on its way", consumer="ben")
    await app.sees("It is on its way")
    await scene.clock.sleep(40)


async def begins_with_a_bad_jwt(scene):
    phone = await scene.customer("cleo")
    await phone.app.write("Good morning")
    await scene.business_writes("Good morning, Cleo", consumer="cleo")
    await phone.app.sees("Good morning, Cleo")
    await scene.time_passes(phone)
    await phone.app.write("May I ask something?")
    await scene.clock.sleep(30)


async def waits_for_the_login(scene):
    phone = scene.phone()
    app = await phone.launch()
    logged_in = await app.sign_in("dora")
    while not logged_in:
        # Without a policy of its own the app leaves it to the user, who reads the message and tries again.
        await scene.clock.sleep(10)
        logged_in = await app.log_in()
    await app.show()
    await app.write("Hello")
    await scene.business_writes("Hello Dora", consumer="dora")
    await app.sees("Hello Dora")
    await scene.time_passes(phone)
    await phone.app.write("Bye")
    await scene.clock.sleep(30)


async def writes_during_the_login(scene):
    phone = scene.phone()
    app = await phone.launch()
    logging_in = asyncio.ensure_future(app.sign_in("emil"))
    await scene.clock.sleep(3)
    writing = asyncio.ensure_future(app.write("Is this the chat?"))
    if not await logging_in:
        raise RuntimeError("the login failed")
    await app.show()
    await writing
    await scene.business_writes("It is", consumer="emil")
    await app.sees("It is")
    await scene.time_passes(phone)
    await phone.app.write("Thank you")
    await scene.clock.sleep(20)


async def is_never_let_in(scene):
    phone = scene.phone()
    app = await phone.launch()
    if await app.sign_in("fay"):
        raise RuntimeError("the login succeeded")
    await scene.clock.sleep(60)
