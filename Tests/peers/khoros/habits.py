"""Bad habits. Each one patches the good client; PLAYS says in which plays it shows."""

import habits_calls  # noqa: F401
import habits_jwt  # noqa: F401
import habits_realtime  # noqa: F401
import habits_users  # noqa: F401
from habit_tools import HABITS, PLAYS

__all__ = ["HABITS", "PLAYS"]
