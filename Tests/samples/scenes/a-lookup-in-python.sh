# With TLS, by the variables that `sparring run` sets.
sparring run --allow-unexercised -- python3 lookup.py
