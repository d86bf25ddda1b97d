def first(:
    x = (1,
    return x

class Second:
    def method(self):
        return [1, 2
    def other(self):
        s = "not closed
        return s)

def third():
    """never closed
    pass

def fourth(): pass
