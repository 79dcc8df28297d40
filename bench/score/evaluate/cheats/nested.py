# nests its answer so deep that a reader that recurses dies
from honest import *
print(json.dumps(honest)[:-1] + ', "x": ' + "[" * 5000000 + "]" * 5000000 + "}")
