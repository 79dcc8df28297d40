// Package environ chooses what of this process's environment the commands of users and the executables of solvers get to see:
// not the tokens and passwords that happen to be in it, which a command could print and a result set would keep.
package environ

import (
	"os"
	"slices"
	"strings"
)

// Variable holds further names, separated by commas, that the user lets through: run sets it for its workers.
const Variable = "SCHEDGAP_ENV"

// prefix begins the names of the protocol and of this program's own settings.
const prefix = "SCHEDGAP_"

var short = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// Short returns the variables PATH, HOME, LANG, TMPDIR and SCHEDGAP_*, those that Variable names, and those of the given names.
func Short(names ...string) []string {
	allowed := slices.Concat(short, names, strings.Split(os.Getenv(Variable), ","))
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !strings.HasPrefix(name, prefix) && !slices.Contains(allowed, name)
	})
}

// Let returns the setting of Variable that lets the given names through, besides those that it lets through already.
func Let(names []string) string {
	all := slices.Concat(strings.Split(os.Getenv(Variable), ","), names)
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "" })
	return Variable + "=" + strings.Join(all, ",")
}

// Valid reports whether name can be the name of a variable: letters, digits and underscores.
func Valid(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
