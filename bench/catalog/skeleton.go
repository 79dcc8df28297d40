package catalog

import (
	"embed"
	"fmt"
	"strings"

	"schedgap/models/nearest"
)

// Skeletons are algorithms to begin with, one for each problem and language: a frame that reads an instance and prints a
// solution, and a body that solves a problem in a simple way.
//
//go:embed skeletons
var skeletons embed.FS

// Languages are what skeletons are written in.
var Languages = []string{"python", "c++"}

// Skeleton returns a program in one of Languages that is an external algorithm for the problem, right as it is; file is the name
// that its comment calls it by.
func Skeleton(problem, language, file string) (string, error) {
	ext := map[string]string{"python": ".py", "c++": ".cpp"}[language]
	if ext == "" {
		return "", nearest.Unknown("language", language, Languages)
	}
	frame, err := skeletons.ReadFile("skeletons/frame" + ext)
	if err != nil {
		return "", fmt.Errorf("skeleton in %s: %w", language, err)
	}
	body, err := skeletons.ReadFile("skeletons/" + problem + ext)
	if err != nil {
		return "", fmt.Errorf("there is no skeleton for %s in %s", problem, language)
	}
	return strings.NewReplacer("PROBLEM", problem, "FILE", file, "BODY", strings.TrimSpace(string(body))).Replace(string(frame)), nil
}
