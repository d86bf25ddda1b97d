package workload

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"excerpt/engine"
)

// Operations are all of the engine, each with what makes it for a corpus.
var Operations = []struct {
	Name string
	On   func(*Corpus) Operation
}{
	{"OpenClose", func(*Corpus) Operation { return OpenClose() }},
	{"Head", func(c *Corpus) Operation { return Head(c, 100) }},
	{"Tail", func(c *Corpus) Operation { return Tail(c, 100) }},
	{"TailMany", func(c *Corpus) Operation { return Tail(c, min(c.Lines/2, 1_000_000)) }},
	{"LinesNear", func(c *Corpus) Operation { return Lines(c, min(1000, c.Lines), 1000, Fresh) }},
	{"LinesDeep", func(c *Corpus) Operation { return Lines(c, c.Deep(), 1000, Fresh) }},
	{"LinesDeepIndexed", func(c *Corpus) Operation { return Lines(c, c.Deep(), 1000, Indexed) }},
	{"Prefix", func(c *Corpus) Operation { return Prefix(c, min(c.Size, 64<<10)) }},
	{"Bytes", func(c *Corpus) Operation { return Bytes(c) }},
	{"Count", func(c *Corpus) Operation { return Count(c, Fresh) }},
	{"CountIndexed", func(c *Corpus) Operation { return Count(c, Indexed) }},
	{"Describe", func(c *Corpus) Operation { return Describe(c) }},
	{"All", func(c *Corpus) Operation { return All(c) }},
	{"Text", func(c *Corpus) Operation { return Text(c, c.Deep(), 100) }},
	{"Walk", func(c *Corpus) Operation { return Walk(c, c.Deep(), 100) }},
	{"Number", func(c *Corpus) Operation { return Number(c, Fresh) }},
	{"NumberIndexed", func(c *Corpus) Operation { return Number(c, Indexed) }},
	{"Refresh", func(*Corpus) Operation { return Refresh() }},
	{"BuildIndex", BuildIndex},
}

// Deep returns the number of a line in the deepest tenth.
func (c *Corpus) Deep() int64 { return max(1, c.Lines/100*95) }

// lines returns the part that n lines from first on are, or as many as there are.
func (c *Corpus) lines(first, n int64) Found {
	n = min(n, c.Lines-first+1)
	return Found{c.Start(first), c.Start(first + n), n}
}

func found(span *engine.Span, err error) (Found, error) {
	if err != nil {
		return Found{}, err
	}
	start, end := span.Offsets()
	lines, known := span.Lines()
	if !known {
		lines = -1
	}
	return Found{int64(start), int64(end), lines}, nil
}

// OpenClose opens a file and closes it.
func OpenClose() Operation {
	return Operation{Named: func(_ context.Context, path string) error {
		f, err := engine.Open(path, unindexed(0))
		if err != nil {
			return err
		}
		return f.Close()
	}}
}

// Head locates the first n lines.
func Head(c *Corpus, n int64) Operation {
	return Operation{State: Opened, Want: c.lines(1, n), Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		return found(f.Head(ctx, n))
	}}
}

// Tail locates the last n lines.
func Tail(c *Corpus, n int64) Operation {
	return Operation{State: Opened, Want: c.lines(max(1, c.Lines-n+1), n), Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		return found(f.Tail(ctx, n))
	}}
}

// Lines locates n lines from first on.
func Lines(c *Corpus, first, n int64, state State) Operation {
	return Operation{State: state, Want: c.lines(first, n), Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		return found(f.Lines(ctx, engine.LineNumber(first), engine.LineNumber(first+n-1)))
	}}
}

// Prefix locates the first n bytes, which must not be within a character.
func Prefix(c *Corpus, n int64) Operation {
	for n < c.Size {
		b, err := c.bytes(n, n+1)
		if err != nil || b[0]&0xc0 != 0x80 {
			break
		}
		n++
	}
	return Operation{State: Opened, Want: Found{0, n, -1}, Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		return found(f.Prefix(ctx, n))
	}}
}

// Bytes reads up to 64 KiB from the middle of a file.
func Bytes(c *Corpus) Operation {
	from := c.Size / 2
	to := min(from+64<<10, c.Size)
	return Operation{State: Opened, Want: Found{from, to, -1}, Writes: true, Run: func(ctx context.Context, f *engine.File, w io.Writer) (Found, error) {
		span, err := f.Bytes(ctx, engine.Offset(from), engine.Offset(to))
		return written(span, err, w)
	}}
}

// All reads a whole file.
func All(c *Corpus) Operation {
	return Operation{State: Opened, Want: Found{0, c.Size, -1}, Writes: true, Run: func(ctx context.Context, f *engine.File, w io.Writer) (Found, error) {
		span, err := f.All(ctx)
		return written(span, err, w)
	}}
}

func written(span *engine.Span, err error, w io.Writer) (Found, error) {
	if err != nil {
		return Found{}, err
	}
	if _, err := span.WriteTo(w); err != nil {
		return Found{}, err
	}
	return found(span, nil)
}

// Count counts the lines of a file.
func Count(c *Corpus, state State) Operation {
	return Operation{State: state, Want: Found{Lines: c.Lines}, Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		n, err := f.Count(ctx)
		return Found{Lines: n}, err
	}}
}

// Describe finds out what a file is like, its number of lines too.
func Describe(c *Corpus) Operation {
	return Operation{State: Fresh, Want: Found{End: c.Size, Lines: c.Lines}, Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		d, err := f.Describe(ctx)
		if err != nil {
			return Found{}, err
		}
		return Found{End: d.Bytes, Lines: d.Lines}, nil
	}}
}

// Text takes n lines from first on of an indexed file as text, within the
// usual limits.
func Text(c *Corpus, first, n int64) Operation {
	want := c.lines(first, n)
	want.Lines = -1
	return Operation{State: Indexed, Want: want, Writes: true, AtMost: 128 << 10, Run: func(ctx context.Context, f *engine.File, w io.Writer) (Found, error) {
		span, err := f.Lines(ctx, engine.LineNumber(first), engine.LineNumber(first+n-1))
		if err != nil {
			return Found{}, err
		}
		text, err := span.Text(engine.Limits{})
		if err != nil {
			return Found{}, err
		}
		_, err = w.Write(text.Data)
		return Found{int64(text.Start), int64(text.End), -1}, err
	}}
}

// Walk takes n lines from first on of an indexed file one by one.
func Walk(c *Corpus, first, n int64) Operation {
	return Operation{State: Indexed, Want: c.lines(first, n), Run: func(ctx context.Context, f *engine.File, w io.Writer) (Found, error) {
		span, err := f.Lines(ctx, engine.LineNumber(first), engine.LineNumber(first+n-1))
		if err != nil {
			return Found{}, err
		}
		start, _ := span.Offsets()
		walked := Found{int64(start), int64(start), 0}
		for line, err := range span.All() {
			if err != nil {
				return Found{}, err
			}
			if int64(line.Offset) != walked.End || int64(line.Number) != first+walked.Lines {
				return Found{}, fmt.Errorf("line %d at %d comes after %+v", line.Number, line.Offset, walked)
			}
			walked.End += line.Bytes
			walked.Lines++
			if _, err := w.Write(line.Text); err != nil {
				return Found{}, err
			}
		}
		return walked, nil
	}}
}

// Number numbers the last 100 lines.
func Number(c *Corpus, state State) Operation {
	first := max(1, c.Lines-99)
	return Operation{State: state, Want: Found{Lines: first}, Run: func(ctx context.Context, f *engine.File, _ io.Writer) (Found, error) {
		span, err := f.Tail(ctx, 100)
		if err != nil {
			return Found{}, err
		}
		n, err := span.Number(ctx)
		return Found{Lines: int64(n)}, err
	}}
}

// Refresh looks whether a file has changed, and it has not.
func Refresh() Operation {
	return Operation{State: Opened, Unread: true, Run: func(_ context.Context, f *engine.File, _ io.Writer) (Found, error) {
		change, err := f.Refresh()
		if err == nil && change != engine.Unchanged {
			err = fmt.Errorf("it is %v", change)
		}
		return Found{}, err
	}}
}

// BuildIndex counts a file and keeps what it has counted in a new folder, since
// what was kept in one is known to the program.
func BuildIndex(c *Corpus) Operation {
	built := 0
	return Operation{Named: func(ctx context.Context, path string) error {
		cache := filepath.Join(os.TempDir(), "excerpt-bench-"+strconv.Itoa(os.Getpid()), strconv.Itoa(built))
		built++
		defer os.RemoveAll(filepath.Dir(cache))
		f, err := engine.Open(path, &engine.Options{Cache: cache})
		if err != nil {
			return err
		}
		defer f.Close()
		index, err := f.BuildIndex(ctx)
		if err == nil && int64(index.Covers) != c.Size {
			err = fmt.Errorf("the index covers %d bytes of %v", index.Covers, c)
		}
		return err
	}}
}
