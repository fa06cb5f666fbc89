"""An app with ASAPP Chat: python3 Tests/peers/second/asapp SCENARIO --variant V [--habit H], or --list."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from habits import HABITS
from shared.command import run
from stories import STORIES
from variants import VARIANTS, fits

run("asapp", STORIES, VARIANTS, HABITS, fits)
