package main

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"html"
	"os"
	"slices"

	"github.com/google/pprof/profile"
)

// A frame is a function as it was called by those below it.
type frame struct {
	name     string
	value    int64 // of it and what it called
	children map[string]*frame
}

func (f *frame) child(name string) *frame {
	if f.children[name] == nil {
		if f.children == nil {
			f.children = map[string]*frame{}
		}
		f.children[name] = &frame{name: name}
	}
	return f.children[name]
}

// frames adds up the stacks of a profile.
func frames(p *profile.Profile, value int) *frame {
	root := &frame{name: "all"}
	for _, s := range p.Sample {
		v := s.Value[value]
		if v == 0 {
			continue
		}
		root.value += v
		at := root
		for _, location := range slices.Backward(s.Location) {
			for _, line := range slices.Backward(location.Line) { // inlined ones come first
				at = at.child(line.Function.Name)
				at.value += v
			}
		}
	}
	return root
}

// Sizes of a flame graph, in pixels.
const (
	width  = 1200
	height = 17 // of a frame
	margin = 10
	letter = 6.6 // the width of one
)

// flames draws a flame graph: callers below, what they call above them, as wide
// as its part of all. What is narrower than a pixel is left out.
func flames(root *frame, title, unit string) []byte {
	depth := 0
	var boxes bytes.Buffer
	var draw func(f *frame, x float64, level int)
	scale := float64(width-2*margin) / float64(max(root.value, 1))
	draw = func(f *frame, x float64, level int) {
		w := float64(f.value) * scale
		if w < 1 {
			return
		}
		depth = max(depth, level)
		part := 100 * float64(f.value) / float64(max(root.value, 1))
		name := html.EscapeString(f.name)
		// Drawn upwards from 0, and moved down when the height is known.
		y := -(level + 1) * height
		fmt.Fprintf(&boxes, `<g><title>%s: %.1f %% (%s)</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, name, part, amount(f.value, unit), x, y, w, height-1, colour(f.name))
		if room := int((w - 4) / letter); room >= 3 {
			text := f.name
			if len(text) > room {
				text = text[:room-1] + "…"
			}
			fmt.Fprintf(&boxes, `<text x="%.1f" y="%d">%s</text>`, x+2, y+12, html.EscapeString(text))
		}
		boxes.WriteString("</g>\n")
		children := make([]*frame, 0, len(f.children))
		for _, c := range f.children {
			children = append(children, c)
		}
		slices.SortFunc(children, func(a, b *frame) int { return cmp.Compare(a.name, b.name) })
		for _, c := range children {
			draw(c, x, level+1)
			x += float64(c.value) * scale
		}
	}
	draw(root, margin, 0)
	total := (depth+1)*height + 3*margin + height
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="monospace" font-size="11">
<rect width="100%%" height="100%%" fill="#fff"/>
<text x="%d" y="%d" font-size="14">%s</text>
<g transform="translate(0 %d)">
%s</g>
</svg>
`, width, total, margin, margin+height-3, html.EscapeString(title+", "+amount(root.value, unit)), total-margin, boxes.Bytes())
	return out.Bytes()
}

// colour is the same for a function in every graph.
func colour(name string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	n := h.Sum32()
	return fmt.Sprintf("hsl(%d 80%% %d%%)", 10+n%45, 62+n/45%14)
}

func amount(v int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return fmt.Sprintf("%.3g s", float64(v)/1e9)
	case "bytes":
		return fmt.Sprintf("%.4g MiB", float64(v)/(1<<20))
	}
	return fmt.Sprint(v, " ", unit)
}

// writeFlames draws the values of one type, or of the last if none is named,
// as go tool pprof does.
func writeFlames(p *profile.Profile, value, title, path string) error {
	i := len(p.SampleType) - 1
	if value != "" {
		i = slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == value })
		if i < 0 {
			return fmt.Errorf("the profile has no %s", value)
		}
	}
	return os.WriteFile(path, flames(frames(p, i), title, p.SampleType[i].Unit), 0o666)
}
