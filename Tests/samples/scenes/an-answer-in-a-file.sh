# The answer of a stub is in a file.
echo '{"ok": true}' >answer.json
