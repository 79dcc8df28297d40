package models_test

import (
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
