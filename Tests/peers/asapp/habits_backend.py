"""Bad habits of the customer's own push endpoint."""

import json

from backend import Backend
from habits import habit


def answer_otherwise(change):
    """Do the right thing, and then answer something else."""
    good = Backend.receive

    def receive(backend, text, headers):
        status, answer = good(backend, text, headers)
        return change(backend, answer) if status == 200 else (status, answer)
    Backend.receive = receive


@habit("message-while-in-chat backend", "message-while-in-chat backend-template")
def answers_slowly():
    good = Backend.__init__

    def __init__(backend, world, template):
        good(backend, world, template)
        # The limit runs on the machine's time, and our seconds are short.
        world.change_tenant("asapp", {"push": {"timeout": f"{int(5000 * world.scale)}ms"}})

    def slowly(backend, answer):
        backend.world.wait(7)
        return 200, answer
    Backend.__init__ = __init__
    answer_otherwise(slowly)


@habit("push-sent-twice backend", "message-while-in-chat backend-template")
def answers_500():
    answer_otherwise(lambda backend, answer: (500, {"error": "internal-error", "message": "The backend failed"}))


@habit("push-sent-twice backend", "message-while-in-chat backend-template")
def answers_204():
    answer_otherwise(lambda backend, answer: (204, None))


@habit("endpoint-called-by-a-stranger backend", "endpoint-called-by-a-stranger backend-template")
def accepts_any_secret():
    Backend.may_call = lambda backend, push: True


@habit("message-while-in-chat backend", faults=["asapp.receivePush malformed-payload times=1"])
def accepts_anything():
    good = Backend.receive

    def receive(backend, text, headers):
        status, answer = good(backend, text, headers)
        if status != 400:
            return status, answer
        try:
            body = json.loads(text)
        except ValueError:
            body = {}
        place = body.get("notification", {}).get("to") if "notification" in body else body.get("deviceToken")
        backend.world.mark("push-forwarded", "backend", to=str(place), messageId=str(body.get("messageId") or body.get("reference")),
                           unreadMessages=0)
        return 200, {"status": "accepted"}
    Backend.receive = receive


@habit("push-sent-twice backend", "push-sent-twice backend-template")
def forwards_repeats():
    Backend.is_repeat = lambda backend, push: False


@habit("push-sent-twice backend")
def tells_no_number():
    def forward(backend, phone, push):
        del push.payload["UnreadMessages"]
        backend.world.mark("push-forwarded", "backend", to=push.to, messageId=push.message_id)
        phone.hand_over(push.payload)
    Backend.forward = forward


@habit("push-sent-twice backend", "message-while-in-chat backend-template")
def drops_the_number():
    good = Backend.forward

    def forward(backend, phone, push):
        push.unread = push.payload["UnreadMessages"] = push.payload["aps"]["badge"] = 0
        good(backend, phone, push)
    Backend.forward = forward
