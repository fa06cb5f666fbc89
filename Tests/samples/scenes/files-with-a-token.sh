# An archive with its credentials, and a journal without.
jwt=$(sparring credential mint --form jwt --subject ada)
json -d "{\"id_token\":\"$jwt\"}" "$SPARRING_URL/api/account/67444215/app/default/authenticate?v=2.0" >/dev/null
sparring contract export har --with-credentials >traffic.har
sparring journal --json-lines >run.jsonl
