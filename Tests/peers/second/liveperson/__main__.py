"""A consumer's app on LivePerson's mobile SDK: python liveperson SCENARIO --variant V [--habit H], or --list."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from habits import HABITS  # noqa: E402
from scenarios import STORIES, fits  # noqa: E402
from shared.command import run  # noqa: E402
from variants import VARIANTS  # noqa: E402

run("liveperson", STORIES, VARIANTS, HABITS, fits)
