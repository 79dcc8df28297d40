package models_test

import (
	"maps"
	"testing"

	"schedgap/models"
)

// A struct gets the values that its tags name, and of words whether the value is that one.
func TestValuesRead(t *testing.T) {
	var got struct {
		Launch float64 `param:"launch"`
		Copies int     `param:"max_copies"`
		Late   bool    `param:"keep_late"`
		Resume string  `param:"resume"`
		Never  bool    `param:"resume=never"`
		Always bool    `param:"resume=always"`
		own    int
	}
	got.own = 7
	models.Values{"launch": 2.5, "max_copies": 3, "keep_late": true, "resume": "never", "other": 1}.Read(&got)
	if got.Launch != 2.5 || got.Copies != 3 || !got.Late || got.Resume != "never" || !got.Never || got.Always || got.own != 7 {
		t.Errorf("%+v", got)
	}
}

// A stored run names what was a parameter once. Its value of today is accepted there, is recorded as before, and no other is.
func TestFixed(t *testing.T) {
	fixed, params := models.Fixed{"unit": 1.}, []models.Param{models.Between("r", 1.5, 0, 9, "r")}
	v, err := models.Resolve(params, fixed.Drop(map[string]any{"unit": 1., "r": 2.}))
	if err != nil || !maps.Equal(fixed.Join(v), models.Values{"unit": 1., "r": 2.}) || len(v) != 1 {
		t.Errorf("%v, %v", v, err)
	}
	for _, given := range []any{2., "1"} {
		if _, err := models.Resolve(params, fixed.Drop(map[string]any{"unit": given})); err == nil {
			t.Errorf("unit %v is accepted", given)
		}
	}
}
