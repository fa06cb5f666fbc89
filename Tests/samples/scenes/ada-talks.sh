# Ada says hello, and goes.
consumer ada arrives , opens , follows , says hello || return
leaves ada
