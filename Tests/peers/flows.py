"""Every flow of the mobile SDKs, as their documentation tells them, played from the app's side on iOS and Android.

    python flows.py http://127.0.0.1:8080 [WORD …]

With words, only flows whose names have them all, such as "ios:" or "PKCE". Knows the flows' documentation, the vendor's wire reference and
the admin API, and nothing of Sparring's code. Prints a line for each flow and each check; the first that fails ends it with status 1.
"""

import pathlib
import sys

import flows_messaging  # noqa: F401: each adds its flows
import flows_push  # noqa: F401
import flows_sign_in  # noqa: F401
from flow import play_all
from peer import check, finish

words = sys.argv[2:]
count, titles = play_all(words)
check("there were flows", count)
transcripts = pathlib.Path(__file__).parents[2] / "fixtures/transcripts/liveperson"
if not words and transcripts.is_dir():
    missing = {file.stem.replace("-", " ") for file in transcripts.glob("*.txt")} - {title.lower() for title in titles}
    check("each flow that there is a transcript of was played", not missing, missing)
print(f"{count} flows")
finish()
