# With TLS, by the variables that `sparring run` sets; where there is a Node that can fetch.
node -e fetch 2>&- || return 0
sparring run --allow-unexercised -- node lookup.mjs
