# Alice is shown a card whose link has an address for each platform.
consumer alice arrives , opens , follows || return
sparring act liveperson card consumer=alice 'content={"type": "vertical", "elements": [{"type": "button", "title": "Berth 7", "click": {"actions": [
    {"type": "link", "uri": "https://harbour.example/berths/7", "ios": {"uri": "harbour-app://berths/7"}}]}}]}' || return
