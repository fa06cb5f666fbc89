"""A brand's app on Talkdesk's mobile SDK, and the brand's backend, by the second hands.

python3 talkdesk SCENARIO --variant V [--habit H], or --list
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from habits import HABITS
from shared.command import run
from stories import STORIES, fits
from variants import VARIANTS

run("talkdesk", STORIES, VARIANTS, HABITS, fits)
