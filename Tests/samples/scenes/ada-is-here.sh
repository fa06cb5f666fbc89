# Ada has a conversation, and her socket is open.
consumer ada arrives , subscribes , opens , follows , says hello || return
