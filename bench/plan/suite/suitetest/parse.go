// Package suitetest helps tests of suites.
package suitetest

import (
	"fmt"

	"schedgap/bench/plan/suite"
)

// Parse reads the contents of a file with one suite.
func Parse(file string, data []byte) (*suite.Suite, error) {
	suites, err := suite.ParseAll(file, data)
	if err != nil {
		return nil, err
	}
	if len(suites) != 1 {
		return nil, fmt.Errorf("%s: %d suites in a file for one", file, len(suites))
	}
	return suites[0], nil
}
