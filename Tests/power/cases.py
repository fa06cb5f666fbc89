"""Cases that are tried one after the other, by name."""

import argparse
from pathlib import Path


class Wrong(Exception):
    """Something was not as it should be; the message says what."""


def expect(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: {found!r} instead of {wanted!r}")


class Cases(dict):
    """Functions by their names, with hyphens."""

    def __call__(self, function):
        self[function.__name__.replace("_", "-")] = function
        return function

    def arguments(self, about):
        """The binary's path, and the names of the cases that are wanted."""
        parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("sparring")
        parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(self))
        arguments = parser.parse_args()
        for name in arguments.cases:
            if name not in self:
                parser.error(f"there is no case '{name}'; there are {', '.join(self)}")
        return str(Path(arguments.sparring).resolve()), arguments.cases or list(self)


def attempt(body):
    """What was wrong, in words; nil: nothing. Whatever it is, the other cases are of interest too."""
    try:
        body()
    except Wrong as wrong:
        return str(wrong)
    except Exception as error:
        return repr(error)
    return None
