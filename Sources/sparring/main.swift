print("sparring")
