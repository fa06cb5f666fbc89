alice_opens_a_conversation_and_says_something() {
    consumer alice arrives , opens , follows , says 'Is this thing on?'
    until sparring conversation show alice | grep -q '^ *3 '; do :; done
}
