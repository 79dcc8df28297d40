# makes a socket by a system call of another architecture
from honest import *
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=7)
# eax = 359, socket; ebx = AF_INET, ecx = SOCK_STREAM, edx = 0; int 0x80
code.write(b"\x53\xb8\x67\x01\0\0\xbb\x02\0\0\0\xb9\x01\0\0\0\x31\xd2\xcd\x80\x5b\xc3")
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
finish(lambda: call() >= 0)
