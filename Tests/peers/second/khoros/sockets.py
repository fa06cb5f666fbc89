"""Stories in which the connection or its session is lost."""


async def loses_the_connection(scene):
    phone = await scene.customer("gus")
    await phone.app.write("Is my parcel lost?")
    await scene.clock.sleep(5)
    await scene.business_writes("Let me look", consumer="gus")
    await phone.app.sees("Let me look")
    # The connection is cut twenty seconds after the subscription; this is said while there is none.
    await scene.clock.sleep(18)
    await scene.business_writes("It is at the depot", consumer="gus")
    await phone.app.sees("It is at the depot")
    await scene.clock.sleep(20)
    await scene.time_passes(phone)
    await phone.app.write("Wonderful")
    await scene.business_writes("My pleasure", consumer="gus")
    await phone.app.sees("My pleasure")
    await scene.clock.sleep(40)


async def is_forgotten(scene):
    phone = await scene.customer("hana")
    await phone.app.write("Can I change my address?")
    await scene.clock.sleep(5)
    await scene.business_writes("You can", consumer="hana")
    await phone.app.sees("You can")
    await scene.time_passes(phone)
    await scene.business_writes("What is the new one?", consumer="hana")
    await phone.app.sees("What is the new one?")
    await scene.clock.sleep(50)


async def is_not_subscribed(scene):
    phone = await scene.customer("ida")
    await phone.app.write("Do you hear me?")
    await scene.clock.sleep(5)
    await scene.business_writes("I do", consumer="ida")
    await phone.app.sees("I do")
    await scene.time_passes(phone)
    await scene.business_writes("Do you hear me?!", consumer="ida")
    await phone.app.sees("Do you hear me?!")
    await scene.clock.sleep(40)
