# Ada has a live chat at CXone.
consumer cxone begins || return
