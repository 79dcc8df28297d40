package sandbox

import (
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// landlockVersion is the version of Landlock that the kernel has, at least 1.
func landlockVersion() (int, error) {
	v, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0, fmt.Errorf("the kernel has no Landlock: %w", err)
	}
	return v, nil
}

const (
	readFile  = ll.AccessFSExecute | ll.AccessFSReadFile
	readAll   = readFile | ll.AccessFSReadDir
	writeFile = ll.AccessFSWriteFile | ll.AccessFSTruncate
)

// handled is what rules of a version of Landlock restrict: to read, write, make, remove and move files, ports, abstract sockets, and
// signals to processes other than its descendants. Calls of devices (version 5) stay open.
func handled(version int) landlock.Config {
	config := landlock.V1
	if version >= 2 {
		config.HandledAccessFS |= ll.AccessFSRefer
	}
	if version >= 3 {
		config.HandledAccessFS |= ll.AccessFSTruncate
	}
	if version >= 4 {
		config.HandledAccessNet = ll.AccessNetBindTCP | ll.AccessNetConnectTCP
	}
	if version >= 6 {
		config.Scoped = ll.ScopeAbstractUnixSocket | ll.ScopeSignal
	}
	return config
}

// narrow restricts this thread to reading below paths, opening devices and writing below TMPDIR, as far as the kernel's version of
// Landlock can. It never settles for less: what the version cannot enforce is an error.
func (c *confinement) narrow(paths []string) error {
	config := handled(c.landlock)
	var rules []landlock.Rule
	allow := func(path string, rights landlock.AccessFSSet) error {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("a rule of Landlock: %w", err)
		}
		if !info.IsDir() {
			rights &= readFile | writeFile
		}
		rules = append(rules, landlock.PathAccess(rights&config.HandledAccessFS, path))
		return nil
	}
	for _, path := range paths {
		if err := allow(path, readAll); err != nil {
			return err
		}
	}
	for _, path := range devices {
		if err := allow(path, readFile|writeFile); err != nil {
			return err
		}
	}
	if err := allow(c.tmp, config.HandledAccessFS); err != nil {
		return err
	}
	set, flags, err := config.NewRulesetFD(rules...)
	if err != nil {
		return fmt.Errorf("rules of Landlock: %w", err)
	}
	defer unix.Close(set)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	if err := ll.LandlockRestrictSelf(set, flags); err != nil {
		return fmt.Errorf("entering Landlock: %w", err)
	}
	return nil
}
