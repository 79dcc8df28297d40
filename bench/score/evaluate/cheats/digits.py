# writes a number with five million digits
from honest import *
print(json.dumps(honest).replace('"start": 0', '"start": 0.' + "0" * 5000000, 1))
