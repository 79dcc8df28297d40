package public

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/models/fail"
)

// TestFiles: a source names all files that are missing, with their page and hashes, and takes no other file for one.
func TestFiles(t *testing.T) {
	for _, s := range Sources() {
		dir := t.TempDir()
		_, err := s.Instances(dir)
		if !errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), s.Site) || strings.Contains(err.Error(), "mkdir") {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, f := range s.Files {
			if !strings.Contains(err.Error(), f.Name+" (SHA-256 "+f.SHA256+")") {
				t.Errorf("%s: %v does not name %s", s.Name, err, f.Name)
			}
			fail.On(t, os.WriteFile(filepath.Join(dir, f.Name), []byte("1 2 3\n"), 0o666))
		}
		if _, err := s.Instances(dir); err == nil || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// TestBuild reads numbers in the files' layouts.
func TestBuild(t *testing.T) {
	var x []int
	for i := range 125 * 120 {
		x = append(x, i)
	}
	list := wt40.build([][]int{x, slices.Repeat([]int{7}, 125)})
	job := list[1].Fields["jobs"].([]map[string]any)[3]
	if len(list) != 125 || *list[1].Published != 7 || job["work"] != 123 || job["weight"] != 163 || job["deadline"] != 203 {
		t.Errorf("%d instances, the second's fourth job: %v", len(list), job)
	}
	// Two stragglers and two slots, costs 1 2 / 3 4.
	times := assign100.build([][]int{{2, 1, 2, 3, 4}})[0].Fields["copy_time"].(map[string]map[string]int)
	if times["s2"]["v1"] != 3 {
		t.Errorf("%v", times)
	}
	// Tasks 1 and 3 take time, 2 does not: 3 comes after 1 by 2.
	got := phases([]int{3, 0, 0, 0, 1, 5, 1, 0, 2, 0, 1, 1, 3, 4, 1, 2, 4, 0, 1, 3})
	if len(got) != 2 || !slices.Equal(got[1]["parents"].([]string), []string{"1"}) || got[1]["mean"] != 4 {
		t.Errorf("%v", got)
	}
	text := "1 2\n# 3 is a comment\n4\n"
	if n, err := numbers([]byte(text)); err != nil || !slices.Equal(n, []int{1, 2, 4}) {
		t.Errorf("%v, %v", n, err)
	}
	if _, err := numbers([]byte("1\n2 x\n")); err == nil || err.Error() != `line 2: "x" is not a whole number` {
		t.Error(err)
	}
}
