package records_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"excerpt/bench/peers/internal/records"
)

func TestWriteRead(t *testing.T) {
	dir := t.TempDir()
	e := records.Environment{ID: "one", Go: "go1", Tools: map[string]string{"wc": "<1>"}}
	touched, blocks := int64(0), int64(1)
	m := records.Measure{Group: records.Growth, Case: "file size", Size: 1, X: 1, Sides: []records.Side{{
		Name: "tail", Times: []time.Duration{1, 2}, Bytes: &touched, Blocks: &blocks,
	}}}
	var set records.Set
	set.Put(e, m)
	m.X = 2
	set.Put(e, m)
	m.Sides[0].Wrong = "it is"
	set.Put(records.Environment{ID: "two", Trial: true}, m) // again
	if err := set.Write(dir, records.Growth); err != nil {
		t.Fatal(err)
	}
	got, err := records.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*got, set) || len(got.Measures) != 2 || got.Measures[1].Env != "two" {
		t.Errorf("read %+v, wrote %+v", *got, set)
	}
	if groups := got.Keep(func(m records.Measure) bool { return true }); len(groups) != 0 || len(got.Measures) != 2 {
		t.Errorf("all are kept, but %q lost some: %+v", groups, *got)
	}
	got.DropTrials()
	if len(got.Measures) != 1 || len(got.Environments) != 1 {
		t.Errorf("without trials: %+v", *got)
	}
	if groups := got.Keep(func(m records.Measure) bool { return m.X != 1 }); !slices.Equal(groups, []string{records.Growth}) || len(got.Measures) != 0 {
		t.Errorf("of %q nothing is to be kept, but %+v", groups, *got)
	}
}

func TestStatistics(t *testing.T) {
	ours := records.Side{Times: []time.Duration{10, 20, 10}}
	other := records.Side{Goal: 2, Times: []time.Duration{30, 40, 20, 9}}
	r := records.Ratio(ours, other)
	if r.Center != 2 || r.Lo != 2 || r.Hi != 3 {
		t.Errorf("%+v", r)
	}
	if met, known := other.Met(ours); !met || !known {
		t.Error("2 is not met by a median of 2")
	}
	other.Goal = 2.1
	if met, _ := other.Met(ours); met {
		t.Error("2.1 is met by a median of 2")
	}
}

func TestFormats(t *testing.T) {
	for want, got := range map[string]string{
		"1.23 ms": records.Seconds(0.0012345), "12.3 s": records.Seconds(12.345), "1.00 s": records.Seconds(0.99999), "999 ns": records.Seconds(999e-9),
		"16 GiB": records.Bytes(16 << 30), "1 bytes": records.Bytes(1), "1.50 MiB": records.Bytes(3 << 19),
		"1,234,567": records.Digits(1234567), "0.59": records.Digits(0.59), "123": records.Digits(122.9), "10.0": records.Digits(9.996),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
