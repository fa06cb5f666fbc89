# Alice's client has made many calls, somebody has armed a fault, and a run has kept its journal.
sign_in() { json -d "{\"id_token\":\"$jwt\"}" "$SPARRING_URL/api/account/67444215/app/default/authenticate?v=2.0" | grep -q jwt; }
for (( number = 1; number <= 20; number++ )); do
    jwt=$(json -d '{"form":"jwt","subject":"alice"}' "$SPARRING_URL/__admin/sandboxes/default/credentials" | cut -d'"' -f4)
    sign_in || return
done
sparring fault add '*.Pusher.* unavailable times=1' >fault.txt  # entry 41
sign_in
sparring run --database run.db -- npm test >run.txt 2>&1
[ -e run.db ]
