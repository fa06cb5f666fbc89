# A client that counts the unread messages.
cp "$SAMPLES/scenes/badge.py" .
