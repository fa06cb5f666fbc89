# A client that is refused twice waits for a second and then for two, by a clock that runs a hundred times as fast.
sparring clock resume --rate 100
python3 -c '
from retry import retry
answers = iter([None, None, "good"])
assert retry(lambda: next(answers)) == "good"
'
