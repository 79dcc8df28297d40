// Package scripts holds the files of scripts/template, which `schedgap algorithm new --ci` copies.
package scripts

import "embed"

// Template is the folder template: what a repository with an algorithm of its own needs for its CI.
//
//go:embed all:template
var Template embed.FS

// Its files for CI services.
const (
	GitHub = workflows + "schedgap.yml"
	GitLab = ".gitlab-ci.yml"

	workflows = ".github/workflows/"
)
