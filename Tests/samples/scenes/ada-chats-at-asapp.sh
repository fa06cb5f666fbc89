# Ada has a session, a device and a conversation at ASAPP.
eval "$(sparring env)"
call() { curl -s -H "asapp-api-id: $SPARRING_ASAPP_APP_ID" -H "Authorization: Bearer $SESSION" -H 'Content-Type: application/json' "$@"; }
TOKEN=$(sparring credential mint --form jwt --subject ada)
BODY="{\"userIdentifier\":\"ada\",\"context\":{\"Auth\":{\"Token\":\"$TOKEN\"}},\"platform\":\"ios\"}"
SESSION=$(call -d "$BODY" "$SPARRING_ASAPP_API_URL/chat/v1/session" | cut -d'"' -f4)
call -X PUT -d '{"deviceToken":"device-1","platform":"ios"}' "$SPARRING_ASAPP_API_URL/chat/v1/push-token"
call -d '{"clientMessageId":"1","text":"Where is my parcel?"}' "$SPARRING_ASAPP_API_URL/chat/v1/messages" | grep -q '"id"'
