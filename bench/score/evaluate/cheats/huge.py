# has 1e308 slots for a moment
from honest import *
finish(lambda: made((0, 1e-308, {name: work * 1e308 for name in names})))
