# README's client.
cp "$CLIENTS/first.py" client.py
