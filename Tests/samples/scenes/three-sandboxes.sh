# Two sandboxes beside the default one, of which one ends by itself.
sparring sandbox create --name checkout --ttl 2h >/dev/null && sparring sandbox create --name x >/dev/null
