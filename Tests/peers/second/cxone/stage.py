"""Who plays which story."""

import asyncio
import ssl
from dataclasses import dataclass
from functools import partial
from typing import Callable

import stories
import stories_of_chats as chats
from app import App
from habits import Habits
from shared.clock import Clock
from shared.sandbox import Sandbox
from variants import VARIANTS

EVERYWHERE = ("ios", "android", "web")
MOBILE = ("ios", "android")
EVERY_MODE = ("single", "multi", "live")


@dataclass(frozen=True)
class Play:
    """A story, and for whom its scenario is meant."""

    story: Callable
    platforms: tuple = EVERYWHERE
    modes: tuple = EVERY_MODE


PLAYS = {
    "analytics-down": Play(stories.comes_twice, MOBILE),
    "background-during-prepare": Play(stories.leaves_early),
    "code-expired-at-authorize": Play(stories.comes_twice),
    "code-reused-at-authorize": Play(stories.comes_twice),
    "configuration-fails": Play(stories.cannot_prepare_at_first),
    "end-contact": Play(chats.ends_the_chat, modes=("live",)),
    "end-contact-refused": Play(chats.ends_the_chat, modes=("live",)),
    "form-before-the-first-message": Play(stories.comes_twice),
    "gateway-drops-during-a-message": Play(stories.comes_twice),
    "heartbeat-unanswered": Play(chats.stays_longer, ("ios", "web")),
    "large-event-404": Play(chats.has_a_long_history),
    "large-event-fetched": Play(chats.has_a_long_history),
    "live-chat-offline": Play(stories.finds_nobody),
    "message-refused": Play(chats.is_refused),
    "quiet-sockets-are-closed": Play(chats.stays),
    "recover-failed-is-no-failure": Play(stories.comes_once_more, modes=("single", "multi")),
    "sdk-version-refused": Play(stories.is_too_old),
    "thread-closed-by-the-agent": Play(chats.agent_closes_the_chat),
    "token-expires-before-a-message": Play(chats.stays),
    "transaction-token-expires": Play(chats.stays),
    "two-threads": Play(chats.has_two_threads, modes=("multi",)),
    "visit-expires": Play(stories.leaves_the_phone_alone, MOBILE),
    "visitor-update-cut": Play(stories.comes_twice, MOBILE),
    "welcome-before-the-first-message": Play(chats.is_welcomed, MOBILE),
    "wrong-key-at-authorize": Play(stories.comes_twice),
}


def fits(scenario, variant):
    if variant.only and scenario not in variant.only:
        return False
    if variant.beside and not fits(scenario, VARIANTS[variant.beside]):
        return False
    return variant.platform in PLAYS[scenario].platforms and variant.mode in PLAYS[scenario].modes


async def perform(story, variant, habit):
    """Tells the story for one customer, for two at the same time, or for one customer's two devices in turn."""
    sandbox = Sandbox(variant.reports_marks)
    clock = Clock(sandbox.scale)
    authority = ssl.create_default_context(cafile=sandbox.authority)
    app = App(variant, Habits(habit), sandbox, clock, "ada", authority)
    tellings = [story(app)]
    if variant.beside:
        other = VARIANTS[variant.beside]
        login = app.login if variant.is_same_customer else "grace"
        tellings.append(story(App(other, Habits(habit), sandbox, clock, login, authority)))
    if variant.is_same_customer:
        for telling in tellings:
            await telling
    else:
        await asyncio.gather(*tellings)
    await sandbox.close()


STORIES = {scenario: partial(perform, play.story) for scenario, play in PLAYS.items()}
