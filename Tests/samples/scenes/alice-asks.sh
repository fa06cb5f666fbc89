# Alice has a phone, opens a conversation and asks; she stays.
consumer alice registers phone-1 , arrives , opens , follows , says 'anybody there?'

alice_closes_her_conversation_window() { leaves alice; }
