package folder_test

import (
	"testing"
	"time"
)

// TestBatch: a checker that reads many questions is kept, and one answer then costs far less than a process.
func TestBatch(t *testing.T) {
	p := adopted(t, written(t, nil))
	in, err := p.ParseInstance("three", []byte(three))
	if err != nil {
		t.Fatal(err)
	}
	check := func() time.Duration {
		began := time.Now()
		if rep, err := in.Check("s", []byte(`{"start":{"c":0,"b":2,"a":3}}`)); err != nil || *rep.Objective != 25 {
			t.Fatal(rep, err)
		}
		return time.Since(began)
	}
	alone := check()
	for end := time.Now().Add(time.Minute); check() > alone/10; {
		if time.Now().After(end) {
			t.Fatal("each check still takes a process")
		}
	}
}

// BenchmarkCheck is the cost of a checker in batch form, its own work included.
func BenchmarkCheck(b *testing.B) {
	p := adopted(b, written(b, nil))
	in, err := p.ParseInstance("three", []byte(three))
	if err != nil {
		b.Fatal(err)
	}
	for range 20 {
		_, err = in.Check("s", []byte(`{"start":{"c":0,"b":2,"a":3}}`))
		time.Sleep(100 * time.Millisecond)
	}
	for b.Loop() {
		_, err = in.Check("s", []byte(`{"start":{"c":0,"b":2,"a":3}}`))
	}
	if err != nil {
		b.Fatal(err)
	}
}
