# An archive of a client that signs in, registers for pushes, counts, asks for an engagement and talks; the vendor answered otherwise in four places.
sparring sandbox reset >/dev/null
eval "$(sparring env)"
account=$SPARRING_URL/api/account/67444215 pusher=$SPARRING_URL/mock/pusher/account/67444215
post() { curl -s -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
curl -s "$SPARRING_IDENTITY_DISCOVERY_URL" >/dev/null
query='response_type=code&client_id=brand-app&redirect_uri=https%3A%2F%2Fliveperson.net&scope=openid&login_hint=ada'
code=$(curl -s -o /dev/null -w '%{redirect_url}' "$SPARRING_IDENTITY_AUTHORIZATION_ENDPOINT?$query" | sed 's/.*code=\([^&]*\).*/\1/')
form="grant_type=authorization_code&code=$code&redirect_uri=https://liveperson.net"
jwt=$(curl -s -u "brand-app:$SPARRING_IDENTITY_CLIENT_SECRET" -d "$form" "$SPARRING_IDENTITY_TOKEN_ENDPOINT" | sed 's/.*"id_token":"\([^"]*\).*/\1/')
token=$(post -d "{\"id_token\":\"$jwt\"}" "$account/app/default/authenticate?v=2.0" | cut -d'"' -f4)
post -X PUT -d '{"deviceToken":"phone-1","pushType":"APNS"}' "$pusher/registrations/test.brand.app" >/dev/null
post "$pusher/unread?appId=test.brand.app" >/dev/null
curl -s -H 'Content-Type: application/json' -d '{}' "$account/app/7c1e2b9a-5d40-4f66-9b7e-30d8a1c4f205/engagement?v=1.0" >/dev/null
consumer ada arrives , subscribes , opens , follows , says hello >/dev/null || return
leaves ada
sparring contract export har --with-credentials >traffic.har
python3 "$SAMPLES/scenes/recorded.py" traffic.har plain_metadata half_an_hour text_for_a_count another_status
