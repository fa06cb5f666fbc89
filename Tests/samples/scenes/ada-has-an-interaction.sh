# Ada is signed in at the brand, and has an interaction at Talkdesk.
TOKEN=$(curl -s -H "Authorization: Bearer $(sparring credential mint --form access-token --subject ada)" "$SPARRING_TALKDESK_ACCESS_URL")
gateway -d '{"app_id":"example-app-ios","intention":"support"}' "$SPARRING_TALKDESK_GATEWAY_URL/visual-sessions/interactions" | grep -q started
