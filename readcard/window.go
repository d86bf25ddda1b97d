package readcard

import "excerpt/readfile"

// A Window is the lines of an answer, and where in the file they are.
type Window struct {
	Path string `json:"path"`

	// Offset is the number of the first line that was asked for. It stays where
	// no line is given because the first is over a limit.
	Offset int64 `json:"offset"`

	// Lines have ascending numbers from Offset to TotalLines. They are whole:
	// there is none where the answer is the beginning of a line.
	Lines []Line `json:"lines"`

	// TotalLines is how many lines the file has.
	TotalLines int64 `json:"totalLines"`

	// Lang is what [Lang] says of Path.
	Lang string `json:"lang,omitempty"`
}

// A Line is a line of a window, without its line end.
type Line = readfile.Line

// Project returns the window of an answer. There is none if the answer is an
// error, if it begins inside a line, or if the number of lines was not known.
// It has no lines if the limit of bytes lies below the first.
func Project(r readfile.Result) (Window, bool) {
	if r.Err != nil || r.TotalLines < 0 || r.StartColumn > 0 {
		return Window{}, false
	}
	w := Window{Path: r.Path, Offset: r.FirstLine, Lines: r.Lines(), TotalLines: r.TotalLines, Lang: Lang(r.Path)}
	if m := r.Metadata; m != nil && m.After != nil && m.After.StartColumn > 0 {
		w.Lines = []Line{}
	}
	return w, w.Lines != nil && w.valid()
}

// valid says whether the numbers go together.
func (w Window) valid() bool {
	if w.Offset < 1 || w.TotalLines < 0 {
		return false
	}
	least := w.Offset
	for _, line := range w.Lines {
		if line.Number < least || line.Number > w.TotalLines {
			return false
		}
		least = line.Number + 1
	}
	return true
}
