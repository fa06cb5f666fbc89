# An archive with two calls of a client's and one to another host; a token was a number.
curl -s "$SPARRING_URL/api/account/67444215/service/idp/baseURI.json?version=1.0" >/dev/null
curl -s -X POST "$SPARRING_URL/api/account/67444215/signup" >/dev/null
sparring contract export har --with-credentials >traffic.har
python3 "$SAMPLES/scenes/recorded.py" traffic.har number_for_a_token another_host
