# has one key twice, first with the optimum, then with less
from honest import *
print(json.dumps(optimal)[:-1] + ', "intervals": []}')
