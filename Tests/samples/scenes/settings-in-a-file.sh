# What the vendor's side has been configured with.
printf 'sandboxes:\n  - { name: default, tenants: { liveperson: { accountId: "67444215" } } }\n' >sparring.yaml
