package folder

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A disturbance is a solution file in which something is wrong.
type disturbance struct {
	what string
	data []byte
	key  string // of the solution, which it is in
	must bool   // it must not be accepted
	same bool   // it must not be accepted at the same objective
}

// far is beyond all times, numbers of machines and the like, and few is how many numbers are moved one by one.
const (
	far = 1e6
	few = 20
)

// disturbances are a solution file with parts that are left out, stand there twice, are moved or are of another type. Parts are lists,
// objects and numbers below one path: where they have as many elements as the instance has, each of these is needed.
func disturbances(data []byte, size int) (all []disturbance) {
	var root map[string]any
	if json.Unmarshal(data, &root) != nil {
		return nil
	}
	for _, key := range envelope {
		delete(root, key)
	}
	add := func(path, what string, must, same bool) {
		text, _ := json.Marshal(root) // it was decoded, and numbers moved by so little are finite
		key, _, _ := strings.Cut(path, ".")
		all = append(all, disturbance{what, text, strings.TrimRight(key, "[]"), must, same})
	}
	found := map[string]*places{}
	collect(root, "", found)
	for _, path := range slices.Sorted(maps.Keys(found)) {
		p := found[path]
		need := p.elements == size && size > 0
		p.first(func(list []any) []any { return list[1:] }, func(m map[string]any) { delete(m, slices.Sorted(maps.Keys(m))[0]) },
			func() { add(path, "without one element of "+path, need, true) })
		p.first(func(list []any) []any { return append(slices.Clone(list), list[0]) }, nil,
			func() { add(path, "with one element of "+path+" twice", need, true) })
		for _, by := range []float64{-far, far} {
			move(p.values, by, func() { add(path, fmt.Sprintf("with every %s moved by %v", path, by), false, true) })
		}
		for i := range min(few, len(p.values)) {
			for _, by := range []float64{-1, 1} {
				move(p.values[i:i+1], by, func() { add(path, fmt.Sprintf("with one %s moved by %v", path, by), false, false) })
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(root)) {
		was := root[key]
		for _, other := range []any{"text", map[string]any{}, []any{nil}, nil} {
			root[key] = other
			add(key, fmt.Sprintf("with %s as %s", key, text(other)), true, false)
		}
		delete(root, key)
		add(key, "without "+key, true, false)
		root[key] = was
	}
	return all
}

func text(v any) string {
	b, _ := json.Marshal(v) // a constant
	return string(b)
}

// places are the containers or numbers at one path, with the way to replace each.
type places struct {
	lists    []place
	objects  []map[string]any
	values   []place
	elements int // of all lists and objects
}

type place struct {
	value any
	set   func(v any)
}

func collect(v any, path string, found map[string]*places) {
	at := func(path string) *places {
		if found[path] == nil {
			found[path] = &places{}
		}
		return found[path]
	}
	visit := func(path string, value any, set func(any)) {
		switch value := value.(type) {
		case []any:
			p := at(path)
			p.lists, p.elements = append(p.lists, place{value, set}), p.elements+len(value)
		case map[string]any:
			p := at(path + ".*")
			p.objects, p.elements = append(p.objects, value), p.elements+len(value)
		case float64:
			p := at(path)
			p.values = append(p.values, place{value, set})
		}
		collect(value, path, found)
	}
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			name := key
			if path != "" {
				name = path + "." + key
			}
			visit(name, v[key], func(x any) { v[key] = x })
		}
	case []any:
		for i := range v {
			visit(path+"[]", v[i], func(x any) { v[i] = x })
		}
	}
}

// first changes the first list that has an element, or object, for the time of a call.
func (p *places) first(list func([]any) []any, object func(map[string]any), do func()) {
	for _, l := range p.lists {
		old := l.value.([]any)
		if len(old) == 0 {
			continue
		}
		if _, nested := old[0].([]any); !nested { // else the elements of those count
			l.set(list(old))
			do()
			l.set(old)
			return
		}
	}
	for _, m := range p.objects {
		if object != nil && len(m) > 0 {
			old := maps.Clone(m)
			object(m)
			do()
			maps.Copy(m, old)
			return
		}
	}
}

// move adds to numbers for the time of a call.
func move(values []place, by float64, do func()) {
	if len(values) == 0 {
		return
	}
	for _, v := range values {
		v.set(v.value.(float64) + by)
	}
	do()
	for _, v := range values {
		v.set(v.value)
	}
}
