package readcard

import (
	"encoding/json"
	"math"
	"strconv"
)

// Narrow returns the window that stored JSON stands for, or false if it does
// not stand for a valid one: then the client shows the text. What else the
// object has is left aside. A number is an integer by its value, as in
// JavaScript.
func Narrow(stored []byte) (Window, bool) {
	var o object
	if json.Unmarshal(stored, &o) != nil || o == nil {
		return Window{}, false
	}
	var w Window
	var lines []object
	if !o.string("path", &w.Path) || !o.integer("offset", &w.Offset) || !o.integer("totalLines", &w.TotalLines) {
		return Window{}, false
	}
	if _, ok := o["lang"]; ok && !o.string("lang", &w.Lang) {
		return Window{}, false
	}
	if json.Unmarshal(o["lines"], &lines) != nil || lines == nil {
		return Window{}, false
	}
	w.Lines = make([]Line, len(lines))
	for i, line := range lines {
		if !line.integer("number", &w.Lines[i].Number) || !line.string("text", &w.Lines[i].Text) {
			return Window{}, false
		}
	}
	if !w.valid() {
		return Window{}, false
	}
	return w, true
}

// An object is read field by field: encoding/json would take other cases of
// the names, and null for anything.
type object map[string]json.RawMessage

func (o object) string(name string, s *string) bool {
	raw := o[name]
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, s) == nil
}

func (o object) integer(name string, n *int64) bool {
	const most = 1<<53 - 1 // up to which JavaScript's numbers are exact
	f, err := strconv.ParseFloat(string(o[name]), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > most {
		return false
	}
	*n = int64(f)
	return true
}
