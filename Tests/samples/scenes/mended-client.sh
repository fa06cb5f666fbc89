# README's client, as it says to mend it.
cp "$CLIENTS/client.py" client.py
