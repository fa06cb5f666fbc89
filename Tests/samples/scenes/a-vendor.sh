# Another Sparring is the vendor, to which a fault was planted: how it refuses a session at readStatus.
cat >account.yaml <<'END'
sandboxes:
  - name: vendor
    tenants:
      asapp: { appId: acme }
END
cat >planted.overlay.yaml <<'END'
overlay: 1.1.0
info: { title: A fault that is planted, version: '1' }
extends: asapp.openapi.yaml
actions:
  - { target: $.components.schemas.Error.required, remove: true }
  - { target: $.components.schemas.Error.properties, update: { code: { type: string }, reason: { type: string } } }
  - { target: "$.components.responses.SessionRefused.headers['WWW-Authenticate'].required", remove: true }
  - target: $.paths['/chat/v1/status'].get
    update:
      x-rewrite:
        session-missing: &planted
          headers: { WWW-Authenticate: null }
          body:
            - { target: $.error, remove: true }
            - { target: $.code, value: 401-07 }
            - { target: $.reason, value: unknown session }
        session-unknown: *planted
END
vendor --config account.yaml --overlay planted.overlay.yaml
