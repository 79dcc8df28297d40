// Package folder makes problems of folders: a problem.yaml, which says what the problem is, and commands in any language, which
// generate, check, model and solve its instances. docs/own-problem.md defines both. What the commands answer is read strictly and
// trusted for nothing that it does not say.
package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/models"
	"schedgap/models/input"
	"schedgap/models/strict"
)

// SpecFile is the file that makes a folder a problem.
const SpecFile = "problem.yaml"

// A spec is the contents of a problem.yaml.
type spec struct {
	Name       string                `json:"name"`
	Sense      string                `json:"sense" words:"min|max"`
	Objective  string                `json:"objective"`
	Unit       string                `json:"unit,omitempty"`
	Size       string                `json:"size"`
	Parameters strict.Map[parameter] `json:"parameters,omitempty"`
	Classes    strict.Map[class]     `json:"classes"`
	Commands   struct {
		Generate program      `json:"generate,omitempty"`
		Check    program      `json:"check,omitempty"`
		Model    formulations `json:"model,omitempty"`
		Decode   program      `json:"decode,omitempty"`
	} `json:"commands"`
	Bounds     strict.Map[step] `json:"bounds,omitempty"`
	Algorithms strict.Map[step] `json:"algorithms,omitempty"`
}

// A program is a command with its arguments.
type program []string

// ReadValue implements strict.Reader.
func (p *program) ReadValue(v *strict.Value) error {
	var words []string
	if json.Unmarshal(v.Raw(), &words) != nil || len(words) == 0 || words[0] == "" {
		return v.Errorf("must be a list [program, argument, …] of texts, not %s", v)
	}
	*p = words
	return nil
}

type parameter struct {
	Default number `json:"default"`
	From    number `json:"from"`
	To      number `json:"to"`
	Integer bool   `json:"integer,omitempty"`
	Doc     string `json:"doc,omitempty"`
}

// A number of a parameter may be meant as an integer, so it is not rounded.
type number float64

// ReadValue implements strict.Reader.
func (n *number) ReadValue(v *strict.Value) error {
	x, err := v.Float()
	if err == nil && strict.Rounded(string(v.Raw()), x) {
		err = v.Errorf("%s has more digits than a number of 64 bits holds", v)
	}
	*n = number(x)
	return err
}

// A class is a text, or an object with a text and the class around it.
type class struct {
	Doc    string `json:"doc,omitempty"`
	Within string `json:"within,omitempty"`
}

// ReadValue implements strict.Reader.
func (c *class) ReadValue(v *strict.Value) error {
	if v.Raw()[0] != '{' {
		text, err := v.Text()
		c.Doc = text
		return err
	}
	type fields class
	return v.Into((*fields)(c))
}

// A step is a bound or an algorithm.
type step struct {
	Command program `json:"command"`
	Class   string  `json:"class,omitempty"`
	Doc     string  `json:"doc,omitempty"`
}

type formulation struct {
	Command program `json:"command"`
	Format  string  `json:"format" words:"lp|mps"`
	Class   string  `json:"class,omitempty"`
}

// formulations are one, called model, or several with their names.
type formulations strict.Map[formulation]

// ReadValue implements strict.Reader.
func (m *formulations) ReadValue(v *strict.Value) error {
	var keys map[string]json.RawMessage
	if json.Unmarshal(v.Raw(), &keys) != nil {
		return v.Errorf("must be {command: […], format: lp}, or several of these with names, not %s", v)
	}
	if c := keys["command"]; keys["format"] != nil || c != nil && c[0] == '[' {
		var one formulation
		err := v.Into(&one)
		*m = formulations{{Key: "model", Value: one}}
		return err
	}
	var several struct {
		All strict.Map[formulation] `is:"rest"`
	}
	err := v.Into(&several)
	*m = formulations(several.All)
	return err
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// readSpec reads a problem.yaml. Every error names the file, the line and the field.
func readSpec(dir string) (*spec, error) {
	file := filepath.Join(dir, SpecFile)
	data, err := input.Read(file, input.MaxConfig)
	if err != nil {
		return nil, fmt.Errorf("the problem's folder: %w", err)
	}
	tree, err := suite.ParseYAML(file, data)
	if err != nil {
		return nil, err
	}
	if len(tree.Docs) != 1 || tree.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s: must hold one document", file)
	}
	lines := map[string]int{}
	text, err := toJSON(tree.Docs[0].Body, "", lines)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s := &spec{}
	f, err := strict.Open(file, text)
	if err == nil {
		f.Read(s)
		s.check(f)
		err = f.Err()
	}
	return s, lined(err, lines)
}

// lined adds the line of the field, or of the one around it, to an error.
func lined(err error, lines map[string]int) error {
	var bad *strict.Error
	if !errors.As(err, &bad) {
		return err
	}
	path := bad.Path
	for path != "" && lines[path] == 0 {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return &strict.Error{File: fmt.Sprintf("%s: line %d", bad.File, max(1, lines[path])), Path: bad.Path, Reason: bad.Reason}
}

// toJSON writes a YAML value as JSON, the keys in the order of the file, and enters the lines of its parts by their paths.
func toJSON(n ast.Node, path string, lines map[string]int) ([]byte, error) {
	lines[path] = n.GetToken().Position.Line
	var out []byte
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, pair := range n.Values {
			out = append(out, ',')
			var key any
			if err := yaml.NodeToValue(pair.Key, &key); err != nil {
				return nil, fmt.Errorf("line %d: %w", lines[path], err)
			}
			at := strings.TrimPrefix(path+"."+strict.At(fmt.Sprint(key)), ".")
			value, err := toJSON(pair.Value, at, lines)
			if err != nil {
				return nil, err
			}
			lines[at] = pair.Key.GetToken().Position.Line
			quoted, _ := json.Marshal(fmt.Sprint(key)) // a text
			out = append(append(append(out, quoted...), ':'), value...)
		}
		return append(append([]byte{'{'}, out[min(1, len(out)):]...), '}'), nil
	case *ast.MappingValueNode:
		return toJSON(&ast.MappingNode{Start: n.Start, Values: []*ast.MappingValueNode{n}, BaseNode: &ast.BaseNode{}}, path, lines)
	case *ast.SequenceNode:
		for i, v := range n.Values {
			value, err := toJSON(v, fmt.Sprintf("%s[%d]", path, i), lines)
			if err != nil {
				return nil, err
			}
			out = append(append(out, ','), value...)
		}
		return append(append([]byte{'['}, out[min(1, len(out)):]...), ']'), nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		return nil, fmt.Errorf("line %d: anchors, aliases and tags of YAML are not read here", lines[path])
	}
	var v any
	err := yaml.NodeToValue(n, &v)
	if err == nil {
		out, err = json.Marshal(v)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %s: %w", lines[path], path, err)
	}
	return out, nil
}

// builtin are the names that problems in Go have.
var builtin = []string{"flex", "pocd", "cloning", "redundancy", "speculation"}

// check holds the fields against each other.
func (s *spec) check(f *strict.File) {
	switch {
	case !nameForm.MatchString(s.Name):
		f.Fail("name", "%q must be lower case letters, digits and hyphens, and begin with a letter", s.Name)
	case slices.Contains(builtin, s.Name):
		f.Fail("name", "%q is a problem of schedgap; choose another name", s.Name)
	}
	for _, text := range [][2]string{{"objective", s.Objective}, {"size", s.Size}} {
		if strings.TrimSpace(text[1]) == "" {
			f.Fail(text[0], "must not be empty")
		}
	}
	if slices.Contains(heads, s.Size) {
		f.Fail("size", "%q is a key that schedgap adds to instances; it must be the key of the instance's main list", s.Size)
	}
	for _, p := range s.Parameters {
		p.Value.check(f, strict.At("parameters", p.Key), p.Key)
	}
	s.checkClasses(f)
	if f.Err() != nil {
		return
	}
	c := &s.Commands
	for _, required := range []struct {
		name  string
		there bool
		what  string
	}{
		{"generate", c.Generate != nil, "the command that makes an instance of a seed and parameters"},
		{"check", c.Check != nil, "the command that judges a solution"},
		{"decode", c.Decode != nil || c.Model == nil, "the command that makes a solution of the model's point, which a model needs"},
	} {
		if !required.there {
			f.Fail("commands", "%s is missing: %s", required.name, required.what)
		}
	}
	names := map[string]string{bench.FromLibrary: "the library's algorithm"}
	for _, m := range c.Model {
		s.ofClass(f, strict.At("commands", "model", m.Key), m.Value.Class)
		names[s.classOf(m.Value.Class)] = "the class, whose optimum is an algorithm of this name"
		if !nameForm.MatchString(m.Key) {
			f.Fail(strict.At("commands", "model", m.Key), "%q must be lower case letters, digits and hyphens, and begin with a letter", m.Key)
		}
	}
	for _, list := range []strict.Entry[strict.Map[step]]{{Key: "bounds", Value: s.Bounds}, {Key: "algorithms", Value: s.Algorithms}} {
		for _, e := range list.Value {
			at := strict.At(list.Key, e.Key)
			s.ofClass(f, at, e.Value.Class)
			switch {
			case !nameForm.MatchString(e.Key):
				f.Fail(at, "%q must be lower case letters, digits and hyphens, and begin with a letter", e.Key)
			case names[e.Key] != "":
				f.Fail(at, "the name %q is taken by %s", e.Key, names[e.Key])
			}
			names[e.Key] = "one of the " + list.Key
		}
	}
}

func (p *parameter) check(f *strict.File, at, name string) {
	whole := func(x number) bool { return float64(x) == math.Trunc(float64(x)) && math.Abs(float64(x)) <= 1<<53 }
	switch {
	case !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`).MatchString(name):
		f.Fail(at, "%q must be letters, digits, hyphens and underscores, and begin with a letter", name)
	case p.From > p.To:
		f.Fail(at+".from", "%v is more than to, %v", p.From, p.To)
	case p.Default < p.From || p.Default > p.To:
		f.Fail(at+".default", "%v must be from %v to %v", p.Default, p.From, p.To)
	case p.Integer && !(whole(p.From) && whole(p.To) && whole(p.Default)):
		f.Fail(at, "default, from and to must be whole, as the parameter is an integer")
	}
}

func (s *spec) checkClasses(f *strict.File) {
	if len(s.Classes) == 0 {
		f.Fail("classes", "must name at least one class of solutions, such as opt: all schedules")
	}
	for i, c := range s.Classes {
		at := strict.At("classes", c.Key)
		earlier := func(e strict.Entry[class]) bool { return e.Key == c.Value.Within }
		switch {
		case !nameForm.MatchString(c.Key):
			f.Fail(at, "%q must be lower case letters, digits and hyphens, and begin with a letter", c.Key)
		case c.Value.Within != "" && !slices.ContainsFunc(s.Classes[:i], earlier):
			f.Fail(at+".within", "%q must be a class that stands before this one", c.Value.Within)
		case i > 0 && c.Value.Within == "":
			f.Fail(at, "must say within which class it lies, such as {within: %s}: the first class holds all solutions", s.Classes[0].Key)
		}
	}
}

// ofClass refuses a class that is not declared.
func (s *spec) ofClass(f *strict.File, at, name string) {
	if name != "" && !slices.ContainsFunc(s.Classes, func(c strict.Entry[class]) bool { return c.Key == name }) {
		f.Fail(at+".class", "%q is none of the classes", name)
	}
}

// classOf is a class, the first where none is stated.
func (s *spec) classOf(name string) string {
	if name == "" {
		return s.Classes[0].Key
	}
	return name
}

// params are the generator's parameters.
func (s *spec) params() (list []models.Param) {
	for _, p := range s.Parameters {
		v := p.Value
		param := models.Param{Name: p.Key, Default: float64(v.Default), Doc: v.Doc, Min: float64(v.From), Max: float64(v.To)}
		if v.Integer {
			param.Default = int(v.Default)
		}
		if v.Doc == "" {
			param.Doc = fmt.Sprintf("from %v to %v", v.From, v.To)
		}
		list = append(list, param)
	}
	return list
}

// references are the classes.
func (s *spec) references() (list []models.Reference) {
	for i, c := range s.Classes {
		list = append(list, models.Reference{Name: c.Key, Doc: c.Value.Doc, Within: c.Value.Within, CheckerDecides: i > 0})
	}
	return list
}
