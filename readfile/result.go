package readfile

import "strings"

// A Result is the answer to a request.
type Result struct {
	Path string // as it was asked for

	// Err is why there is no text, nil if there is. Its message is a sentence
	// for the model. errors.Is finds [ErrBinary], [ErrOutside], fs.ErrNotExist,
	// engine.ErrSelection and the like.
	Err error

	// Body is the bytes of the lines, as valid UTF-8, with their numbers if
	// those were asked for. It is within the limits.
	Body string

	// Notice is a sentence in brackets, "" if nothing was cut or replaced, and
	// all was verified.
	Notice string

	// Metadata is nil if nothing was cut.
	Metadata *Metadata

	// Replaced says that bytes which are not UTF-8 became U+FFFD.
	Replaced bool

	// Unverified says that the file is compressed, and that the checksum which
	// the body is under was not seen.
	Unverified bool

	// FirstLine is the number of the first line that was asked for, and
	// TotalLines how many the file has: 0 and -1 if that is not known.
	FirstLine  int64
	TotalLines int64

	// StartColumn is the column of the first line that the body begins at.
	StartColumn int64

	// More says that the file goes on behind the body. It is known of all files.
	More bool

	first    int64 // the number of the first line of Body, 0 if not known
	numbered bool
}

// Text returns what a model is shown: the body, and behind it, on a line of
// its own, the notice if there is one. If there was an error it is its message.
func (r Result) Text() string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case r.Notice == "":
		return r.Body
	case r.Body == "", strings.HasSuffix(r.Body, "\n"):
		return r.Body + r.Notice
	}
	return r.Body + "\n" + r.Notice
}

// A Line is a line of an answer.
type Line struct {
	Number int64 `json:"number"`

	// Text has no line end and no byte order mark. It is a part of the line
	// where the answer begins or ends inside it.
	Text string `json:"text"`
}

// Lines returns the lines of the body, without their numbers in the text. It
// returns nil if their numbers are not known.
func (r Result) Lines() []Line {
	if r.first == 0 {
		return nil
	}
	lines := []Line{}
	number := r.first
	for line := range strings.Lines(r.Body) {
		if r.numbered {
			_, line, _ = strings.Cut(line, ": ")
		}
		if number == 1 {
			line = strings.TrimPrefix(line, bom)
		}
		if text, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(text, "\r")
		}
		lines = append(lines, Line{number, line})
		number++
	}
	return lines
}

// Metadata says what an answer that was cut has left out. Its JSON is the
// structured content of the tool's result.
type Metadata struct {
	Truncated      bool   `json:"truncated"` // true
	Reason         string `json:"reason"`    // [LineLimit], [ByteLimit], [LineAndByteLimit] or [Damaged]
	LineCountKnown bool   `json:"lineCountKnown"`
	LineCount      int64  `json:"lineCount,omitempty"` // of the file, if that is known

	// ReturnedLines is nil if the line numbers of a tail were not counted.
	ReturnedLines *Range `json:"returnedLines,omitempty"`
	ReturnedBytes int64  `json:"returnedBytes"`       // of the body
	FileBytes     int64  `json:"fileBytes,omitempty"` // of the file, if that is known

	// Before and After are the requests for what the answer lacks of the
	// selection, nil if it lacks nothing there.
	Before *Request `json:"before,omitempty"`
	After  *Request `json:"after,omitempty"`

	// Again is the same request with line numbers: its answer knows what is
	// before it. It is there for a tail of a file that was too large to count
	// for it, and Before and After are not.
	Again *Request `json:"again,omitempty"`
}

// A Range is lines of a file, 1-based, both included.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// The reasons why an answer is cut.
const (
	LineLimit        = "line_limit"
	ByteLimit        = "byte_limit"
	LineAndByteLimit = "line_and_byte_limit"
	Damaged          = "damaged" // what follows in a compressed file can't be decoded
)

// refuse is the result of an error.
func refuse(name string, err error) Result {
	return Result{Path: name, Err: err, TotalLines: -1}
}
