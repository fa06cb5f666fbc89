# Another Sparring is the vendor, and the client reads its configuration.
printf 'sandboxes:\n  - { name: vendor, tenants: { khoros: { appId: shop } } }\n' >account.yaml
vendor --config account.yaml
cat >khoros.py <<'END'
import os, urllib.request
base, integration = os.environ["SPARRING_KHOROS_SERVICE_BASE_URL"], os.environ["SPARRING_KHOROS_IOS_INTEGRATION_ID"]
urllib.request.urlopen(f"{base}/sdk/v2/integrations/{integration}/config").read()
END
export CLIENT=$PWD/khoros.py
