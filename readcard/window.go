package readcard

import "excerpt/readfile"

// A Window is the lines of an answer, and where in the file they are.
type Window struct {
	Path string `json:"path"`

	// Offset is the number of the first line that was asked for. It stays where
	// no line is given because the first is over a limit.
	Offset int64 `json:"offset"`

	// Lines have ascending numbers from Offset to TotalLines.
	Lines []Line `json:"lines"`

	// TotalLines is how many lines the file has.
	TotalLines int64 `json:"totalLines"`

	// Lang is what [Lang] says of Path.
	Lang string `json:"lang,omitempty"`
}

// A Line is a line of a window, without its line end.
type Line = readfile.Line

// Project returns the window of an answer. There is none if the answer is an
// error, or the number of lines was not known.
func Project(r readfile.Result) (Window, bool) {
	if r.Err != nil || r.TotalLines < 0 {
		return Window{}, false
	}
	w := Window{Path: r.Path, Offset: r.FirstLine, Lines: r.Lines(), TotalLines: r.TotalLines, Lang: Lang(r.Path)}
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
