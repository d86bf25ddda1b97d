package main

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"excerpt/corpus"
)

func TestWorkloads(t *testing.T) {
	ctx := context.Background()
	log, err := corpus.File(ctx, t.TempDir(), "app", 1, 16<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range workloads {
		t.Run(w.name, func(t *testing.T) {
			once, done, err := w.start(ctx, log)
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			for range 2 {
				if err := once(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// The recorded profiles are those of the workloads, and tell nothing of the
// machine.
func TestRecorded(t *testing.T) {
	for _, w := range workloads {
		for _, kind := range []string{"cpu", "allocs"} {
			f, err := os.Open(filepath.Join("recorded", w.name+"."+kind+".pprof"))
			if err != nil {
				t.Fatalf("%v: go run ./profiles -record takes it", err)
			}
			p, err := profile.Parse(f)
			_ = f.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, fn := range p.Function {
				if strings.HasPrefix(fn.Filename, "/") {
					t.Errorf("%s of %s: %s is in %s", kind, w.name, fn.Name, fn.Filename)
				}
			}
		}
	}
}

func TestFlames(t *testing.T) {
	outer := &profile.Function{ID: 1, Name: "main.outer[go.shape.<int>]"}
	inner := &profile.Function{ID: 2, Name: "main.inner"}
	leaf := &profile.Function{ID: 3, Name: "main.leaf"}
	// inner is inlined into outer.
	both := &profile.Location{ID: 1, Line: []profile.Line{{Function: inner}, {Function: outer}}}
	last := &profile.Location{ID: 2, Line: []profile.Line{{Function: leaf}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{last, both}, Value: []int64{3, 30}},
			{Location: []*profile.Location{both}, Value: []int64{1, 10}},
		},
	}
	root := frames(p, 1)
	at := root
	for _, want := range []struct {
		name  string
		value int64
	}{{outer.Name, 40}, {"main.inner", 40}, {"main.leaf", 30}} {
		if at = at.children[want.name]; at == nil || at.value != want.value {
			t.Fatalf("%s is %+v, not %d", want.name, at, want.value)
		}
	}
	graph := string(flames(root, "a title", "nanoseconds"))
	for _, want := range []string{"main.outer[go.shape.&lt;int&gt;]: 100.0 %", "main.leaf: 75.0 %", "a title, 4e-08 s"} {
		if !strings.Contains(graph, want) {
			t.Errorf("the graph has no %q:\n%s", want, graph)
		}
	}
	d := xml.NewDecoder(strings.NewReader(graph))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
