# The sign-ins of the tutorial, up to a redirect URI with a slash at its end.
sign_in() { json -d "$1" "$SPARRING_URL/api/account/67444215/app/default/authenticate?v=2.0"; }
sparring clock freeze >/dev/null
query='response_type=code&client_id=brand-app&redirect_uri=https://liveperson.net&login_hint=ada'
authorize() { curl -s -o /dev/null -w '%{redirect_url}' "$SPARRING_URL/identity/75984746/authorize?$query"; }
authorize >/dev/null
code=$(authorize | sed 's/.*code=\([^&]*\).*/\1/')
for _ in 1 2; do sign_in "{\"code\":\"$code\",\"redirect_uri\":\"https://liveperson.net\"}" >/dev/null; done
sign_in "{\"code\":\"$(sparring credential mint --form code --subject ada)\",\"redirect_uri\":\"https://liveperson.net/\"}" >/dev/null
