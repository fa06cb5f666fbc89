"""A client of Khoros Brand Messenger, first generation, written from the vendor's page and the reference alone."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from habits import HABITS
from scene import tell
from shared.command import run
from stories import STORIES
from variants import VARIANTS, fits

run("khoros", {name: tell(story) for name, story in STORIES.items()}, VARIANTS, HABITS, fits)
