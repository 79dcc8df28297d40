package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncAll makes all durable that was written to the file system of f, which costs about as much as making one file so.
func syncAll(f *os.File) error { return unix.Syncfs(int(f.Fd())) }
