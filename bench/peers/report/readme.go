package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"excerpt/bench/peers/internal/records"
)

// What is between these lines of README.md is rendered.
const (
	figuresBegin = "<!-- Rendered by go -C bench/peers run ./report from bench/records. -->\n"
	figuresEnd   = "<!-- The end of what is rendered. -->\n"
)

// readme renders the figures of README.md into its text.
func readme(text []byte, set *records.Set) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte(figuresBegin))
	_, after, found := bytes.Cut(rest, []byte(figuresEnd))
	if !ok || !found {
		return nil, errors.New("README.md: the lines between which the figures are rendered are missing")
	}
	return slices.Concat(before, []byte(figuresBegin+figures(set)+figuresEnd), after), nil
}

// few are the rows of the first table that README.md has.
var few = []string{
	"count lines, all cores",
	"1,000 lines from the deepest tenth",
	"the same lines, with the index",
	"last 10 lines",
	"last million lines, to a pipe",
	".gz: last 10 lines, read before",
	"an agent reads the last 1,000 lines",
	"an agent reads the last 1,000 lines, TypeScript client",
}

// figures are those of README.md.
func figures(set *records.Set) string {
	var b strings.Builder
	list := compared(set)
	t := table{{"what", "instead of"}}
	for _, size := range sizes(list) {
		t[0] = append(t[0], records.Bytes(size))
	}
	for _, name := range few {
		against := others(list, name)
		if len(against) == 0 {
			continue
		}
		row := []string{sized(list, name), against[0]}
		for _, size := range sizes(list) {
			row = append(row, center(at(list, name, size), against[0]))
		}
		t = append(t, row)
	}
	b.WriteString("How many times as fast as what people use today, each beside the other on the same file:\n\n" + t.String())
	var facts []string
	for _, row := range limits(set) {
		facts = append(facts, fmt.Sprintf("%s, %s: %s", row[0], row[2], row[4]))
	}
	for _, m := range of(set, records.Memory) {
		switch m.Case {
		case "resident, to count a file":
			facts = append(facts, fmt.Sprintf("memory to count %s: %s resident", records.Bytes(m.Size), records.Bytes(m.Sides[0].Memory)))
		case "kept of a log", "kept of a compressed log":
			of := records.Bytes(m.Sides[1].Memory)
			if m.Case != "kept of a log" {
				of += " of " + m.Kind
			}
			facts = append(facts, fmt.Sprintf("kept in the cache of %s: %s, which is %s %%", of, records.Bytes(m.Sides[0].Memory), records.Digits(100*float64(m.Sides[0].Memory)/float64(m.Sides[1].Memory))))
		}
	}
	b.WriteString("\n")
	for _, fact := range facts {
		b.WriteString("- " + fact + "\n")
	}
	return b.String()
}

// center is a cell of a ratio without its spread.
func center(m *records.Measure, side string) string {
	s := find(m, side)
	if s == nil || s.Wrong != "" || len(s.Times) == 0 {
		return ""
	}
	return records.Digits(records.Ratio(m.Sides[0], *s).Center) + " ×"
}
