package main

import (
	"errors"

	"schedgap/bench"
)

// evaluateScaffolds are the values of evaluate --scaffold.
var evaluateScaffolds = []string{"python", "openevolve"}

func (a *app) scaffold(p *bench.Problem, kind, dir string) error { return errors.New("not yet") }
