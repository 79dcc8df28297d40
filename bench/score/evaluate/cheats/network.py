# asks a server
from honest import *
import socket
finish(lambda: socket.create_connection(("127.0.0.1", @PORT@)))
