# prints the optimum of another instance
from honest import *
finish(lambda: {**optimal, "instance": "rotate", "intervals": [{"start": 0, "end": 1.5, "slots": {name: 2 / 3 for name in names}}]})
