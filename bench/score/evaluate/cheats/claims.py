# claims another objective than it has
from honest import *
finish(lambda: {**honest, "objective": 1.5 * work})
