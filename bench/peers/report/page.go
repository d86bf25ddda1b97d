package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"excerpt/bench/peers/internal/records"
)

//go:embed BENCHMARKS.md.tmpl
var pageText string

// page renders BENCHMARKS.md.
func page(set *records.Set) ([]byte, error) {
	t, err := template.New("BENCHMARKS.md").Funcs(template.FuncMap{"file": file}).Parse(pageText)
	if err != nil {
		return nil, err
	}
	trial := slices.ContainsFunc(set.Environments, func(e records.Environment) bool { return e.Trial })
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Trial": trial, "Environments": environments(set), "Tools": tools(set),
		"Today": today(set), "Slower": slower(set), "Goals": goals(set), "Reasons": reasons(set), "All": all(set),
		"Growth": growth(set), "Memory": memory(set), "Wrong": wrong(set),
	})
	return b.Bytes(), err
}

// of returns the measures of a group in the order in which they were made.
func of(set *records.Set, groups ...string) []records.Measure {
	var list []records.Measure
	for _, m := range set.Measures {
		if slices.Contains(groups, m.Group) {
			list = append(list, m)
		}
	}
	return list
}

// compared are the groups in which sides are.
func compared(set *records.Set) []records.Measure {
	return of(set, records.Compare, records.Compressed, records.Agents)
}

// title is what a measure is called: its case, with what it was done on where
// that is not the log of a size.
func title(m records.Measure) string {
	if m.Group == records.Compressed && strings.HasPrefix(m.Kind, ".") {
		return m.Kind + ": " + m.Case
	}
	return m.Case
}

// fixed reports whether a measure is made on a file whose size is not one of
// those that the logs have.
func fixed(m records.Measure) bool { return m.Group == records.Compressed || m.Kind == "" }

// names returns the titles of measures, each once, in their order.
func names(list []records.Measure) []string {
	var names []string
	for _, m := range list {
		if !slices.Contains(names, title(m)) {
			names = append(names, title(m))
		}
	}
	return names
}

// sizes returns the sizes of the logs of measures, ascending.
func sizes(list []records.Measure) []int64 {
	found := map[int64]bool{}
	for _, m := range list {
		if !fixed(m) {
			found[m.Size] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// at returns the measure of a title and size. One whose file is always the same
// is found under the largest size.
func at(list []records.Measure, name string, size int64) *records.Measure {
	all := sizes(list)
	for i, m := range list {
		if title(m) == name && (!fixed(m) && m.Size == size || fixed(m) && size == all[len(all)-1]) {
			return &list[i]
		}
	}
	return nil
}

// sized is a title with the size of a file that is always the same.
func sized(list []records.Measure, name string) string {
	for _, m := range list {
		if title(m) == name && m.Group == records.Compressed {
			return name + " (" + records.Bytes(m.Size) + ")"
		}
	}
	return name
}

func find(m *records.Measure, side string) *records.Side {
	if m == nil {
		return nil
	}
	i := slices.IndexFunc(m.Sides, func(s records.Side) bool { return s.Name == side })
	if i < 0 {
		return nil
	}
	return &m.Sides[i]
}

// others returns the sides of a case that are not ours.
func others(list []records.Measure, name string) []string {
	var found []string
	for _, m := range list {
		if title(m) == name {
			for _, s := range m.Sides[1:] {
				if !slices.Contains(found, s.Name) {
					found = append(found, s.Name)
				}
			}
		}
	}
	return found
}

// A table is rendered by the template.
type table [][]string

func (t table) String() string {
	var b strings.Builder
	for i, row := range t {
		for j, cell := range row {
			row[j] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}

// today says how many times as fast we are as what people use.
func today(set *records.Set) table {
	list := compared(set)
	t := table{{"what", "instead of"}}
	for _, size := range sizes(list) {
		t[0] = append(t[0], records.Bytes(size))
	}
	for _, h := range headlines(list) {
		row := []string{sized(list, h.name), h.against}
		for _, size := range sizes(list) {
			row = append(row, ratio(at(list, h.name, size), h.against))
		}
		t = append(t, row)
	}
	return t
}

// A headline is a row of the first table, and a bar of the first chart.
type headline struct{ name, against string }

// headlines are those of measures: each that a user would make beside the first
// of the others, and beside each of the servers.
func headlines(list []records.Measure) []headline {
	var found []headline
	for _, name := range names(list) {
		i := slices.IndexFunc(list, func(m records.Measure) bool { return title(m) == name })
		if internal(list[i]) {
			continue
		}
		others := others(list, name)
		if list[i].Group != records.Agents {
			others = others[:1]
		}
		for _, other := range others {
			found = append(found, headline{name, other})
		}
	}
	return found
}

// internal reports whether a measure is nothing that a user would make, or one
// like another.
func internal(m records.Measure) bool {
	switch m.Group {
	case records.Agents: // most agents have the TypeScript SDK
		return !strings.HasSuffix(m.Case, "TypeScript client")
	case records.Compressed:
		if m.Kind != ".gz" {
			return !strings.HasPrefix(m.Case, "last 10 lines")
		}
		return strings.HasSuffix(m.Case, "in a program")
	}
	return slices.Contains([]string{
		"build the index", "describe a file, all cores, in a program", "count lines, one core, in a program",
	}, m.Case)
}

// ratio is a cell.
func ratio(m *records.Measure, side string) string {
	s := find(m, side)
	switch {
	case s == nil:
		return ""
	case s.Wrong != "":
		return "wrong"
	case len(s.Times) == 0:
		return ""
	}
	r := records.Ratio(m.Sides[0], *s)
	return fmt.Sprintf("**%s ×** (%s–%s)", records.Digits(r.Center), records.Digits(r.Lo), records.Digits(r.Hi))
}

// slower says where another side is as fast as ours, or faster.
func slower(set *records.Set) table {
	t := table{{"what", "at", "who", "takes", "excerpt takes", ""}}
	for _, m := range compared(set) {
		for _, s := range m.Sides[1:] {
			if s.Wrong != "" || len(s.Times) == 0 || strings.HasPrefix(s.Name, "excerpt") {
				continue
			}
			r := records.Ratio(m.Sides[0], s)
			how := "**" + records.Digits(1/r.Center) + " × as long**"
			switch {
			case r.Lo > 1:
				continue
			case r.Hi >= 1:
				how = "no difference that is certain"
			}
			t = append(t, []string{
				title(m), records.Bytes(m.Size), s.Name,
				records.Seconds(s.Time().Center), records.Seconds(m.Sides[0].Time().Center), how,
			})
		}
	}
	return t
}

// goals has what is asked of us, and whether it is so.
func goals(set *records.Set) table {
	t := table{{"what", "against", "at", "goal", "measured", ""}}
	list := compared(set)
	for _, name := range names(list) {
		for _, m := range list {
			if title(m) != name {
				continue
			}
			for _, s := range m.Sides[1:] {
				if met, known := s.Met(m.Sides[0]); known {
					t = append(t, []string{name, s.Name, records.Bytes(m.Size), goal(s.Goal), ratio(&m, s.Name), verdict(met)})
				}
			}
		}
	}
	return append(append(t, limits(set)...), memoryGoals(set)...)
}

func goal(ratio float64) string {
	if ratio < 1 {
		return "at least " + records.Digits(ratio) + " ×, which is at most " + records.Digits(1/ratio) + " × as long"
	}
	return "at least " + records.Digits(ratio) + " ×"
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "**not met**"
}

// limits has the operations that have a limit of time at all sizes.
func limits(set *records.Set) [][]string {
	var rows [][]string
	list := of(set, records.Growth)
	for _, over := range names(list) {
		var first records.Measure
		for _, m := range list {
			if m.Case == over {
				first = m
				break
			}
		}
		for _, s := range first.Sides {
			if s.Limit == 0 {
				continue
			}
			least, most, met := 0.0, 0.0, true
			var from, to int64
			for _, m := range list {
				side := find(&m, s.Name)
				if m.Case != over || side == nil {
					continue
				}
				t := side.Time().Center
				if from == 0 {
					from, least = m.X, t
				}
				least, most, to = min(least, t), max(most, t), m.X
				ok, _ := side.Met(*side)
				met = met && ok
			}
			rows = append(rows, []string{
				s.Name + ", in a program", "", span(over, from, to), "at most " + records.Seconds(s.Limit/1e9),
				records.Seconds(least) + " to " + records.Seconds(most), verdict(met),
			})
		}
	}
	return rows
}

// span says from where to where something grows.
func span(over string, from, to int64) string {
	if over == "file size" {
		return records.Bytes(from) + " to " + records.Bytes(to)
	}
	return over + " " + records.Digits(float64(from)) + " to " + records.Digits(float64(to))
}

// memoryGoals has of each measure what takes most.
func memoryGoals(set *records.Set) [][]string {
	var rows [][]string
	for _, m := range of(set, records.Memory) {
		i := 0
		for j, s := range m.Sides {
			if s.Limit > 0 && s.Memory > m.Sides[i].Memory {
				i = j
			}
		}
		s := m.Sides[i]
		met, known := s.Met(s)
		if !known {
			continue
		}
		rows = append(rows, []string{
			"memory, " + m.Case, "", m.Kind + " of " + records.Bytes(m.Size), "at most " + records.Bytes(int64(s.Limit)),
			fmt.Sprintf("%s (%s)", records.Bytes(s.Memory), s.Name), verdict(met),
		})
	}
	return rows
}

// all has every side, with its time.
func all(set *records.Set) table {
	list := compared(set)
	t := table{{"what", "how"}}
	for _, size := range sizes(list) {
		t[0] = append(t[0], records.Bytes(size), "")
	}
	for _, name := range names(list) {
		for i, side := range append([]string{""}, others(list, name)...) {
			row := []string{"", ""}
			for _, size := range sizes(list) {
				m := at(list, name, size)
				if m == nil {
					row = append(row, "", "")
					continue
				}
				s := &m.Sides[0]
				if i > 0 {
					s = find(m, side)
				}
				switch {
				case s == nil:
					row = append(row, "", "")
					continue
				case s.Wrong != "":
					row = append(row, s.Wrong, "wrong")
				case i == 0:
					row[0] = sized(list, name)
					row = append(row, records.Seconds(s.Time().Center), "")
				default:
					row = append(row, records.Seconds(s.Time().Center), ratio(m, side))
				}
				row[1] = s.Name
				if s.Command != "" {
					row[1] += ": `" + s.Command + "`"
				}
			}
			t = append(t, row)
		}
	}
	return t
}

// growth lists the charts.
func growth(set *records.Set) []string { return names(of(set, records.Growth)) }

// memory has a table for each case, with a column for each file.
func memory(set *records.Set) []table {
	list := of(set, records.Memory)
	var tables []table
	for _, name := range names(list) {
		t := table{{"memory, " + name}}
		for _, m := range list {
			if m.Case != name {
				continue
			}
			t[0] = append(t[0], m.Kind+" of "+records.Bytes(m.Size))
			for i, s := range m.Sides {
				if len(t) < i+2 {
					t = append(t, []string{s.Name})
				}
				t[i+1] = append(t[i+1], records.Bytes(s.Memory))
			}
		}
		tables = append(tables, t)
	}
	return tables
}

// wrong has who is wrong on what.
func wrong(set *records.Set) table {
	t := table{{"a file with", "who", "says"}}
	for _, m := range set.Measures {
		for _, s := range m.Sides {
			if s.Wrong != "" {
				what := title(m)
				if m.Group != records.Answers {
					what += ", " + records.Bytes(m.Size)
				}
				t = append(t, []string{what, s.Name, s.Wrong})
			}
		}
	}
	return t
}

// environments has where it was measured.
func environments(set *records.Set) table {
	t := table{{"record", "date", "machine", "system", "Go", "commit", "command"}}
	for _, e := range set.Environments {
		t = append(t, []string{
			e.ID, e.Date, fmt.Sprintf("%s, %d cores, %s", e.Machine, e.Cores, records.Bytes(e.Memory)), e.Kernel, e.Go, e.ShortCommit(), "`" + e.Command + "`",
		})
	}
	return t
}

// tools has the versions of the last environment.
func tools(set *records.Set) []string {
	if len(set.Environments) == 0 {
		return nil
	}
	e := set.Environments[len(set.Environments)-1]
	var list []string
	for _, name := range slices.Sorted(maps.Keys(e.Tools)) {
		list = append(list, fmt.Sprintf("%s (%s)", name, e.Tools[name]))
	}
	return list
}
