//go:build !linux

package worker

import "golang.org/x/sys/unix"

// redirect makes one descriptor another name of an open one.
func redirect(from, to int) error { return unix.Dup2(from, to) }
