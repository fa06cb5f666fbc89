# The agent joins Ada's conversation, and its program sends a card with four mistakes.
consumer ada arrives , opens || return
consumer agent arrives || return
sparring agent join ada || return
consumer agent arrives , sends '{
    "type": "vertical", "elements": [
        {"type": "map", "la": 51.5},
        {"type": "button", "titel": "Berth 7", "click": {"actions": [{"type": "link", "uri": "harbour.example/berths/7"}]}}]}' || return
