#!/usr/bin/env python3
"""A module.

def not_a_function():
    pass
"""
from __future__ import annotations
import os, typing as t

VERSION = "1"
VERSION = "2"
limit: int = 3
declared: t.Callable[[int], str]
a, b = 1, 2
table = {
    "def x()": lambda: 1,
}
type Pair[T] = tuple[T, T]
type = 5
print(type)
if x == 1: y = 2

# Above the decorator.
@decorator(
    "def hidden():",
)
# Between.
@other
class Server(Base, metaclass=Meta):
    '''class Inner: '''
    field: int = 1

    class Inner[T]:
        def deep(self): return {"a": 1}

    @property
    def value(self) -> "x": return 1

    @value.setter
    def value(self, v):
        self.v = v

    @t.overload
    def over(self, a: int) -> int: ...
    @t.overload
    def over(self, a: str) -> str: ...
    def over(self, a): return a

    async def run(
        self,
        a=(1, 2),
        # a comment )
        b="""
def no(): pass
""",
    ):
        def helper():
            nonlocal a

            async def deeper(): pass
        return helper

    if t.TYPE_CHECKING:
        def only_typed(self): ...

# A comment at the end of nothing.

def \
        continued(a, \
                  b):
    x = f"{a["b"]} {{ }} {f'{"}"}'!r:>{width}} def y():"
    y = f'''{
        a # comment "
    } "'''
    z = rb"\"" + r'\''
    s = 'it''s' "\
def no(): pass"
    return x

try:
    def in_try(): pass
except ImportError:
    def in_except(): pass
else:
    class InElse: pass
finally:
    pass

match command:
    case {"a": [def_]}:
        def in_case(): pass

	
def tabs():
	if 1:
	        def inside(): pass
	return 1

class Empty: ...
async \
    def split(): pass
lambda_ = lambda: (yield)
def last():
    pass  # the end
    # a comment of the body
