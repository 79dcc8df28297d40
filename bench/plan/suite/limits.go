package suite

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"schedgap/models/input"
	"schedgap/models/strict"
)

// Limits of a suite's text. The YAML parser takes quadratic time for the keys of a mapping and for nested lists, and aliases
// of aliases stand for exponentially many values; a suite needs little of either.
const (
	maxTokens = 100_000
	maxKeys   = 10_000
	maxNested = 64
	maxValues = 100_000 // with every alias expanded
)

// ParseYAML parses a file within the limits; the error says which one is exceeded, and where.
func ParseYAML(file string, data []byte) (*ast.File, error) {
	if len(data) > input.MaxConfig {
		return nil, fmt.Errorf("%s: has more than %d MiB, which is as much as is read of a suite", file, input.MaxConfig>>20)
	}
	tokens := lexer.Tokenize(string(bytes.TrimPrefix(data, []byte("\ufeff")))) // the mark that some editors begin a text with
	if err := checkTokens(tokens); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	tree, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, sentence(file, err)
	}
	for _, doc := range tree.Docs {
		if doc.Body == nil {
			continue
		}
		e := expansion{anchors: map[string]int{}}
		if e.size(doc.Body) > maxValues {
			return nil, fmt.Errorf("%s: line %d: the aliases stand for more than %d values", file,
				doc.Body.GetToken().Position.Line, maxValues)
		}
	}
	return tree, Exact(file, tree)
}

// Exact is an error if a number of the file stands for an integer that a float64 does not hold, which a reader of YAML would round.
func Exact(file string, tree *ast.File) error {
	for _, doc := range tree.Docs {
		if doc.Body == nil {
			continue
		}
		for _, n := range ast.Filter(ast.FloatType, doc.Body) {
			token := n.GetToken()
			if x, err := strconv.ParseFloat(token.Value, 64); err == nil && strict.Rounded(token.Value, x) {
				return fmt.Errorf("%s: line %d: %s has more digits than a number of 64 bits holds", file, token.Position.Line, token.Value)
			}
		}
	}
	return nil
}

func checkTokens(tokens token.Tokens) error {
	keys, nested, line, entries := 0, 0, 0, 0
	for i, t := range tokens {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			nested++
		case token.MappingEndType, token.SequenceEndType:
			nested--
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		case token.MappingValueType, token.DocumentHeaderType:
			keys++
		}
		switch {
		case t.Type == token.TagType:
			return fmt.Errorf("line %d: %q is a tag of YAML, which suites do not have", line, t.Value)
		case i >= maxTokens:
			return fmt.Errorf("line %d: the file has more than %d words and signs", line, maxTokens)
		case keys > maxKeys:
			return fmt.Errorf("line %d: the file has more than %d keys", line, maxKeys)
		case nested > maxNested, entries > maxNested:
			return fmt.Errorf("line %d: nested deeper than %d levels", line, maxNested)
		}
	}
	return nil
}

// An expansion counts the values of a document with every alias expanded.
type expansion struct {
	anchors map[string]int // values by name
}

// size returns the number of values of n, or one that is larger than maxValues.
func (e *expansion) size(n ast.Node) int {
	total := 1
	add := func(of ast.Node) {
		if total <= maxValues {
			total += e.size(of)
		}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			add(v)
		}
	case *ast.MappingValueNode:
		add(n.Key)
		add(n.Value)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			add(v)
		}
	case *ast.AnchorNode:
		add(n.Value)
		e.anchors[n.Name.String()] = total
	case *ast.AliasNode:
		total += e.anchors[n.Value.String()]
	case *ast.TagNode:
		add(n.Value)
	}
	return total
}
