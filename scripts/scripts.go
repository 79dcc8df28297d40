// Package scripts holds the files that `schedgap algorithm new` copies: scripts/template and the module for Python.
package scripts

import "embed"

// Template is the folder template: the files that a repository with an algorithm needs for its CI.
//
//go:embed all:template
var Template embed.FS

// Module is the name of the file that programs in Python import.
const Module = "schedgap.py"

// Python is the contents of Module.
//
//go:embed python/schedgap.py
var Python string

// Files of Template for CI services.
const (
	GitHub = workflows + "schedgap.yml"
	GitLab = ".gitlab-ci.yml"

	workflows = ".github/workflows/"
)
