# starts itself again with a library of its own
from honest import *
import os
if "LD_PRELOAD" not in os.environ:
    os.execve(sys.executable, [sys.executable, "-c", "import sys; sys.stdout.write(sys.argv[1])", json.dumps(honest)],
              {**os.environ, "LD_PRELOAD": os.path.join(os.environ["TMPDIR"], "library.so")})
