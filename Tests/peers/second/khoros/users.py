"""Stories about who the user is, and on which device."""


async def chats_before_the_login(scene):
    phone = scene.phone()
    app = await phone.launch()
    await app.show()
    await app.write("Do you ship to Norway?")
    await scene.business_writes("We do", conversation=app.sdk.conversation.id)
    await app.sees("We do")
    await scene.time_passes(phone)
    app = phone.app
    if not await app.sign_in("jan"):
        raise RuntimeError("the login failed")
    await app.show()
    await app.sees("Do you ship to Norway?")
    await app.write("Then I order now")
    await scene.business_writes("Thank you, Jan", consumer="jan")
    await app.sees("Thank you, Jan")
    await scene.clock.sleep(30)


async def hands_the_phone_on(scene):
    phone = await scene.customer("kim")
    await phone.app.write("My voucher does not work")
    await scene.business_writes("Which one?", consumer="kim")
    await phone.app.sees("Which one?")
    await scene.time_passes(phone)
    app = phone.app
    await app.sign_out()
    await scene.clock.sleep(5)
    if not await app.sign_in("lou"):
        raise RuntimeError("the login failed")
    await app.show()
    await app.write("What are your hours?")
    await app.leave()
    await scene.business_writes("Kim, are you there?", consumer="kim")
    await scene.clock.sleep(20)
    await scene.business_writes("Nine to five", consumer="lou")
    await scene.clock.sleep(10)
    await app.come_back()
    await app.sees("Nine to five")
    if "Kim, are you there?" in app.texts():
        raise RuntimeError("Lou reads what is for Kim")
    await scene.clock.sleep(20)


async def gets_an_offer(scene):
    phone = await scene.customer("ada")
    await phone.app.write("When does my parcel come?")
    await scene.time_passes(phone)
    app = phone.app
    if scene.variant.user != "steady":
        await app.sees("Your parcel waits", within=120)
    else:
        await app.leave()
        await scene.clock.sleep(100)
        await app.come_back()
        await app.sees("Your parcel waits")
    if len(scene.offers) != 1:
        raise RuntimeError(f"{len(scene.offers)} offers came")
    await scene.clock.sleep(20)


async def gets_a_new_push_token(scene):
    phone = await scene.customer("max")
    await phone.app.write("Tell me when it is there")
    await scene.clock.sleep(5)
    await phone.renew_token()
    await scene.clock.sleep(5)
    await scene.time_passes(phone)
    app = phone.app
    await app.leave()
    await scene.clock.sleep(20)
    await app.come_back()
    await scene.clock.sleep(40)
    await app.leave()
    await scene.business_writes("It is there", consumer="max")
    await scene.clock.sleep(10)
    await app.come_back()
    await app.sees("It is there")
    await scene.clock.sleep(10)


async def takes_up_the_tablet(scene):
    phone = await scene.customer("nele")
    await phone.app.write("Which size fits me?")
    await scene.business_writes("How tall are you?", consumer="nele")
    await phone.app.sees("How tall are you?")
    await scene.time_passes(phone)
    tablet = await scene.phone(platform="android" if scene.variant.platform == "ios" else "ios").launch()
    if not await tablet.sign_in("nele"):
        raise RuntimeError("the login on the tablet failed")
    await tablet.show()
    await tablet.write("One metre seventy")
    await tablet.sees("How tall are you?")
    await phone.app.sees("One metre seventy")
    await phone.app.write("And a half")
    await tablet.sees("And a half")
    await scene.business_writes("Then it is a forty", consumer="nele")
    await phone.app.sees("Then it is a forty")
    await tablet.sees("Then it is a forty")
    await scene.clock.sleep(30)


async def is_new(scene):
    phone = scene.phone()
    app = await phone.launch()
    if not await app.sign_in("oli"):
        raise RuntimeError("the login failed")
    await app.show()
    await scene.clock.sleep(15)
    await app.write("This is my first question")
    await scene.business_writes("Welcome", consumer="oli")
    await app.sees("Welcome")
    await scene.time_passes(phone)
    await phone.app.write("And this is my second")
    await scene.clock.sleep(20)
