print("live")
