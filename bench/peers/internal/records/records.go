// Package records has what was measured, as it is kept: JSON lines, each an
// environment or what was measured in one.
package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Environment is where and how something was measured.
type Environment struct {
	ID      string            `json:"environment"` // that measures name it by
	Date    string            `json:"date"`
	Commit  string            `json:"commit"` // "+" behind it: with changes
	Command string            `json:"command"`
	Machine string            `json:"machine"`
	Cores   int               `json:"cores"`
	Memory  int64             `json:"memory"` // bytes
	Kernel  string            `json:"kernel"`
	Go      string            `json:"go"` // version and system
	Tools   map[string]string `json:"tools"`
	Trial   bool              `json:"trial,omitempty"` // of a machine that was not quiet
}

// ShortCommit returns the beginning of the commit.
func (e Environment) ShortCommit() string {
	hash, changed := strings.CutSuffix(e.Commit, "+")
	short := fmt.Sprintf("%.12s", hash)
	if changed {
		short += ", with changes"
	}
	return short
}

// Groups of measures, each in a file of its own.
const (
	Compare    = "compare"    // beside other programs
	Compressed = "compressed" // the same, on compressed logs
	Agents     = "agents"     // beside another MCP server
	Growth     = "growth"     // one operation over sizes
	Memory     = "memory"
	Answers    = "answers" // whether programs are right
)

// Groups are all of them.
var Groups = []string{Compare, Compressed, Agents, Growth, Memory, Answers}

// A Measure is one thing that was done, by one side or by several in turn.
type Measure struct {
	Env   string `json:"env"`
	Group string `json:"group"`
	Case  string `json:"case"`
	Kind  string `json:"kind,omitempty"` // of the corpus
	Size  int64  `json:"size,omitempty"` // of the corpus
	X     int64  `json:"x,omitempty"`    // what grows, in Growth
	Sides []Side `json:"sides"`          // the first is ours
}

// A Side is what did it.
type Side struct {
	Name    string  `json:"name"`
	Command string  `json:"command,omitempty"`
	Goal    float64 `json:"goal,omitempty"`  // how many times as long as ours it must take at least
	Limit   float64 `json:"limit,omitempty"` // how much it may be at most, nanoseconds or bytes

	// Times are of the rounds, in which the sides have run in turn.
	Times []time.Duration `json:"ns,omitempty"`

	Memory int64  `json:"memory,omitempty"` // bytes
	Bytes  *int64 `json:"bytes,omitempty"`  // touched
	Blocks *int64 `json:"blocks,omitempty"` // read
	Allocs *int64 `json:"allocs,omitempty"`

	Wrong string `json:"wrong,omitempty"` // what is wrong with what it has answered
}

// Same reports whether m and n measure the same.
func (m Measure) Same(n Measure) bool {
	return m.Group == n.Group && m.Case == n.Case && m.Kind == n.Kind && m.Size == n.Size && m.X == n.X
}

// A Set is what was measured.
type Set struct {
	Environments []Environment
	Measures     []Measure
}

// Read reads the records in a folder.
func Read(dir string) (*Set, error) {
	var s Set
	for _, group := range Groups {
		b, err := os.ReadFile(file(dir, group))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i, line := range bytes.Split(bytes.TrimSpace(b), []byte("\n")) {
			if err := s.add(line); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", file(dir, group), i+1, err)
			}
		}
	}
	return &s, nil
}

func (s *Set) add(line []byte) error {
	var e Environment
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	if e.ID != "" {
		if s.Environment(e.ID) == nil {
			s.Environments = append(s.Environments, e)
		}
		return nil
	}
	var m Measure
	if err := json.Unmarshal(line, &m); err != nil {
		return err
	}
	if len(m.Sides) == 0 || s.Environment(m.Env) == nil {
		return fmt.Errorf("it is no measure in an environment above it: %.80s", line)
	}
	s.Measures = append(s.Measures, m)
	return nil
}

// Environment returns the one with an ID, or nil.
func (s *Set) Environment(id string) *Environment {
	i := slices.IndexFunc(s.Environments, func(e Environment) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Environments[i]
}

// Find returns the measure of the same, or nil.
func (s *Set) Find(m Measure) *Measure {
	i := slices.IndexFunc(s.Measures, m.Same)
	if i < 0 {
		return nil
	}
	return &s.Measures[i]
}

// Put replaces the measure of the same, or adds m.
func (s *Set) Put(e Environment, m Measure) {
	if s.Environment(e.ID) == nil {
		s.Environments = append(s.Environments, e)
	}
	m.Env = e.ID
	if old := s.Find(m); old != nil {
		*old = m
	} else {
		s.Measures = append(s.Measures, m)
	}
}

// DropTrials removes what was measured as a trial.
func (s *Set) DropTrials() {
	s.Measures = slices.DeleteFunc(s.Measures, func(m Measure) bool { return s.Environment(m.Env).Trial })
	s.Environments = slices.DeleteFunc(s.Environments, func(e Environment) bool { return e.Trial })
}

// Keep removes the measures that are not to be kept, and returns the groups that
// had any.
func (s *Set) Keep(keep func(Measure) bool) (groups []string) {
	s.Measures = slices.DeleteFunc(s.Measures, func(m Measure) bool {
		if keep(m) {
			return false
		}
		if !slices.Contains(groups, m.Group) {
			groups = append(groups, m.Group)
		}
		return true
	})
	return groups
}

// Write writes the file of a group in a folder.
func (s *Set) Write(dir, group string) error {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	for _, e := range s.Environments {
		if slices.ContainsFunc(s.Measures, func(m Measure) bool { return m.Group == group && m.Env == e.ID }) {
			if err := out.Encode(e); err != nil {
				return err
			}
		}
	}
	for _, m := range s.Measures {
		if m.Group == group {
			if err := out.Encode(m); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	part := file(dir, group) + ".part"
	if err := os.WriteFile(part, b.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(part, file(dir, group))
}

func file(dir, group string) string { return filepath.Join(dir, group+".jsonl") }
