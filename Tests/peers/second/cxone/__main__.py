"""A client of CXone's chat at second hand: python3 Tests/peers/second/cxone SCENARIO --variant V [--habit H], or --list."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from habits import HABITS
from shared.command import run
from stage import STORIES, fits
from variants import VARIANTS

run("cxone", STORIES, VARIANTS, HABITS, fits)
