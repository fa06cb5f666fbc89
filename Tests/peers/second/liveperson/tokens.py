"""What the answer of a sign-in holds, of whichever version it is."""

from answers import members, retry_after
from retry import Refused, Unavailable


def token_of(answer):
    """The LP token in an answer. Raises `Unavailable`, or `Refused`: refusals have status 500 and their own code (LivePerson reference 4.3)."""
    said = members(answer)
    token = said.get("jwt") or said.get("token")  # LivePerson reference 15: v2 says jwt, v3 says token
    if answer.status_code == 200 and token:
        return token
    without_code = said.get("internalErrorCode") in (None, "mock-internal-error")
    if answer.status_code < 400 or answer.status_code in (429, 502, 503, 504) or answer.status_code == 500 and without_code:
        raise Unavailable(f"sign-in: {answer.status_code}", retry_after(answer))
    raise Refused(f"sign-in: {answer.status_code} {answer.text[:100]}")
