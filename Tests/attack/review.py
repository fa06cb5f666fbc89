"""What a review of reliability once found, tried again: each finding on a server of its own.

    python3 review.py SPARRING [--only WORD] [--list]

The exit status is 1 where one of them is there again.
"""

import argparse
import pathlib
import resource
import sys
import time

import checks
import surface  # noqa: F401 (adds its checks)
import weight  # noqa: F401

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sparring")
parser.add_argument("--only", action="append", default=[], help="checks with this word in their names")
parser.add_argument("--list", action="store_true", help="print the checks")
arguments = parser.parse_args()


def main():
    chosen = [(name, work) for name, work in checks.ALL if not arguments.only or any(word in name for word in arguments.only)]
    if arguments.list:
        print(*(name for name, _ in chosen), sep="\n")
        return 0
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # Some start it in another folder.
    binary, failed = str(pathlib.Path(arguments.sparring).resolve()), 0
    for name, work in chosen:
        begun = time.monotonic()
        try:
            wrong = work(binary)
        except Exception as error:  # whatever it is, the others are tried too
            wrong = f"could not be tried: {error!r}"
        failed += bool(wrong)
        print(f"  {'FAILED' if wrong else 'ok    '} {name} ({time.monotonic() - begun:.1f} s)" + (f"\n           {wrong}" if wrong else ""), flush=True)
    print(f"FAILED: {failed} of {len(chosen)} checks" if failed else f"all {len(chosen)} checks passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
