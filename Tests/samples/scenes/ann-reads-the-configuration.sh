# A client of Khoros' has made its first call.
eval "$(sparring env)"
curl -s "$SPARRING_KHOROS_SERVICE_BASE_URL/sdk/v2/integrations/$SPARRING_KHOROS_IOS_INTEGRATION_ID/config" | grep -q restRetryPolicy
