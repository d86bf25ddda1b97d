package logset

import (
	"errors"
	"fmt"
	"io/fs"

	"excerpt/engine"
)

// A Set is the files of a rotated log, as one [engine.File]: what cat would give
// of them, the oldest first, with offsets and line numbers across all. A file
// that does not end in a line end goes on in the next.
//
// Its Size is -1 while nobody knows what its compressed files hold. Refresh
// does nothing, and the methods for an index are errors: open the set again, and
// what is kept for later is kept of each file.
type Set struct {
	*engine.File
	parts []*part // all files, and none for what is missing
}

// A State says what is done with a file of a set.
type State int

const (
	Whole      State = iota // it is read, and nothing is known to be wrong
	Partial                 // it is read as far as it could be decoded, and ends there
	Twice                   // it is not read: another file has what it holds
	Ambiguous               // it is read, but its place among the others is a guess
	Missing                 // it should be there
	Unreadable              // it is there, and can't be read
)

// String returns the word for s, such as "missing".
func (s State) String() string {
	return [...]string{"whole", "partial", "twice", "ambiguous", "missing", "unreadable"}[s]
}

// A Member is a file of a set, or one that is missing there.
type Member struct {
	Path  string
	State State
	Err   error // why it is not Whole, else nil
}

// String says what is wrong with m, or that nothing is.
func (m Member) String() string {
	said := map[State]string{
		Whole: "is read", Partial: "is read as far as it could be decoded", Twice: "is not read", Ambiguous: "is read",
		Missing: "is missing", Unreadable: "can't be read",
	}[m.State]
	if m.Err == nil {
		return m.Path + " " + said
	}
	why := m.Err
	var path *fs.PathError
	if errors.As(why, &path) {
		why = path.Err
	}
	return fmt.Sprintf("%s %s: %v", m.Path, said, why)
}

// Lost reports whether something that was in the log is not in the set, as far
// as m tells.
func (m Member) Lost() bool { return m.State == Partial || m.State == Missing || m.State == Unreadable }

// Members returns the files of the set, the oldest first. That a compressed file
// is damaged is known once it was decoded as far as that.
func (s *Set) Members() []Member {
	members := make([]Member, 0, len(s.parts))
	for _, p := range s.parts {
		p.mu.Lock()
		members = append(members, Member{p.path, p.state, p.err})
		p.mu.Unlock()
	}
	return members
}
