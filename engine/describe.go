package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"excerpt/engine/internal/describe"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// A Description is what [File.Describe] finds out. Sizes are in bytes. That of
// an empty file is the zero value.
type Description struct {
	Bytes int64 `json:"bytes"`

	// Compressed is how many bytes the file has itself if it is compressed, and
	// else 0. All of it was found right then.
	Compressed int64 `json:"compressed,omitempty"`

	Lines int64 `json:"lines"` // a last one without a line end included

	// Longest is the number of the first of the longest lines, and LongestBytes
	// is the length of its text: without its LF, without a CR just before that,
	// and without a byte order mark.
	Longest      LineNumber `json:"longest"`
	LongestBytes int64      `json:"longestBytes"`

	LineEnds LineEnds `json:"lineEnds"`
	Ended    bool     `json:"ended"` // the last line has a line end

	// Encoding is "ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE",
	// "UTF-32BE", or empty where it is none that is plain. It is known by a byte
	// order mark, else UTF-16 by the NULs in the first 16 KiB, and the others by
	// all bytes. BOM says that the file begins with a byte order mark.
	Encoding string `json:"encoding"`
	BOM      bool   `json:"bom"`

	// Invalid says that there are bytes that are no UTF-8. The first sequence
	// of them begins at InvalidAt.
	Invalid   bool   `json:"invalid"`
	InvalidAt Offset `json:"invalidAt"`

	// NULs is how many NUL bytes there are, those of holes included. FirstNUL
	// is where the first is, if there are any. Binary says that there are some,
	// and that they are not those of UTF-16 or UTF-32.
	NULs     int64  `json:"nuls"`
	FirstNUL Offset `json:"firstNUL"`
	Binary   bool   `json:"binary"`

	Levels Levels `json:"levels"`

	// First and Last are the first time stamp in the first 16 KiB, and that of
	// the last line in the last 16 KiB that has one. Of a line, the first 256
	// bytes are searched.
	First Stamp `json:"first,omitzero"`
	Last  Stamp `json:"last,omitzero"`
}

// LineEnds are how many line ends of each kind there are. LF and CR LF end a
// line; a CR alone does not, but in some old files it was meant to.
type LineEnds struct {
	LF   int64 `json:"lf"` // without a CR before them
	CRLF int64 `json:"crlf"`
	CR   int64 `json:"cr"` // without a LF behind them
}

// String returns "none", "LF", "CR LF", "mixed" (of these two), or "CR" if
// there is nothing else.
func (e LineEnds) String() string {
	switch {
	case e.LF > 0 && e.CRLF > 0:
		return "mixed"
	case e.LF > 0:
		return "LF"
	case e.CRLF > 0:
		return "CR LF"
	case e.CR > 0:
		return "CR"
	}
	return "none"
}

// Levels are how many lines have which level. The level of a line is the first
// of the words TRACE, DEBUG, INFO, NOTICE, WARN, WARNING, ERROR, ERR, SEVERE,
// CRITICAL, CRIT, ALERT, FATAL, PANIC, EMERG in the first 128 bytes of its text
// that stands
//
//   - in capitals, between bytes that are no ASCII letter, digit or "_": INFO
//   - in any case after one of the keys level, lvl, severity, loglevel,
//     levelname, in any case too: level=info, level="info", "level":"info"
//   - in any case in brackets, alone or last after a colon: [info], [core:info]
//   - in any case as a field, which begins after a TAB or after a comma and a
//     blank, and ends with a TAB or two blanks.
//
// In a line that begins with "{", only the string after a key in quotes counts.
// Levels of one letter, such as those of Android, are not counted.
type Levels struct {
	Trace    int64 `json:"trace,omitempty"`
	Debug    int64 `json:"debug,omitempty"`
	Info     int64 `json:"info,omitempty"`
	Notice   int64 `json:"notice,omitempty"`
	Warn     int64 `json:"warn,omitempty"`     // WARN, WARNING
	Error    int64 `json:"error,omitempty"`    // ERROR, ERR, SEVERE
	Critical int64 `json:"critical,omitempty"` // CRITICAL, CRIT
	Alert    int64 `json:"alert,omitempty"`
	Fatal    int64 `json:"fatal,omitempty"`
	Panic    int64 `json:"panic,omitempty"` // PANIC, EMERG
}

// A Stamp is a time stamp of a log: those of RFC 3339 and ISO 8601 (also with a
// blank, slashes, a comma, and without a fraction or zone), of syslog, of
// Apache's and nginx's logs, of Hadoop, Spark and Android, of RFC 1123; and in
// JSON the numbers of the keys ts, t, time, timestamp and @timestamp.
type Stamp struct {
	Text   string `json:"text"`   // as found; empty if none was
	Offset Offset `json:"offset"` // of Text

	// Time is zero where Text has no year, or where which number is the day, the
	// month or the year can't be told. Where Text says no zone, Zone is false,
	// and Time is in UTC.
	Time time.Time `json:"time,omitzero"`
	Zone bool      `json:"zone"`
}

// String returns d as a table, a line for each thing that there is to say.
func (d *Description) String() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("bytes", "%d", d.Bytes)
	if d.Compressed > 0 {
		row("compressed", "%d bytes", d.Compressed)
	}
	row("lines", "%d", d.Lines)
	if d.Lines > 0 {
		row("longest line", "line %d, %d bytes", d.Longest, d.LongestBytes)
	}
	ends := d.LineEnds.String()
	if ends == "mixed" {
		ends = fmt.Sprintf("mixed: LF %d, CR LF %d", d.LineEnds.LF, d.LineEnds.CRLF)
	}
	if d.LineEnds.CR > 0 && ends != "CR" {
		ends += fmt.Sprintf(", and %d CR inside lines", d.LineEnds.CR)
	}
	if d.Lines > 0 && !d.Ended && ends != "none" {
		ends += "; the last line has none"
	}
	row("line ends", "%s", ends)
	encoding := cmp.Or(d.Encoding, "unknown")
	if d.BOM {
		encoding += ", with a byte order mark"
	}
	if d.Invalid && !strings.HasPrefix(encoding, "UTF-16") && !strings.HasPrefix(encoding, "UTF-32") {
		encoding += fmt.Sprintf("; not UTF-8 at offset %d", d.InvalidAt)
	}
	row("encoding", "%s", encoding)
	if d.Binary {
		row("binary", "%d NUL bytes, the first at offset %d", d.NULs, d.FirstNUL)
	}
	if levels := d.Levels.String(); levels != "" {
		row("levels", "%s", levels)
	}
	if d.First.Text != "" {
		row("first stamp", "%s", d.First.Text)
	}
	if d.Last.Text != "" {
		row("last stamp", "%s", d.Last.Text)
	}
	return b.String()
}

// String returns the levels that there are, such as "INFO 12, ERROR 3".
func (l Levels) String() string {
	var all []string
	for _, level := range []struct {
		name  string
		lines int64
	}{
		{"TRACE", l.Trace},
		{"DEBUG", l.Debug},
		{"INFO", l.Info},
		{"NOTICE", l.Notice},
		{"WARN", l.Warn},
		{"ERROR", l.Error},
		{"CRITICAL", l.Critical},
		{"ALERT", l.Alert},
		{"FATAL", l.Fatal},
		{"PANIC", l.Panic},
	} {
		if level.lines > 0 {
			all = append(all, fmt.Sprintf("%s %d", level.name, level.lines))
		}
	}
	return strings.Join(all, ", ")
}

// Describe says what the file is like. It reads all of it once, on several
// cores if it is long, but no holes, at about half the speed of [File.Count].
// A stream that is read once is used up. What a compressed file holds is
// described by the pass that decodes it, and from then on that is known.
func (f *File) Describe(ctx context.Context) (*Description, error) {
	s, err := f.acquire()
	if err != nil {
		return nil, err
	}
	defer f.release(s)
	var found describe.Result
	err = f.look(ctx, s, func(ctx context.Context, p *pass) error {
		if p.decoded != nil {
			// The pass that decodes it describes it, too.
			if _, err := f.learn(ctx, s, source.Unknown); err != nil {
				return err
			}
			if known := p.decoded.Description(); known != nil {
				found = *known
				return nil
			}
		}
		whole, err := describeAll(ctx, p.src, f.scanPlan(ctx, s, true))
		found = whole.Finish()
		return err
	})
	if err != nil {
		return nil, err
	}
	d := description(found)
	if s.raw != nil {
		d.Compressed = s.raw.Size()
	}
	return d, nil
}

func description(r describe.Result) *Description {
	d := &Description{
		Bytes: r.Bytes, Lines: r.Lines,
		Longest: LineNumber(r.Longest), LongestBytes: r.Text,
		LineEnds: LineEnds{r.LF, r.CRLF, r.CR}, Ended: r.Ended,
		BOM:  r.BOM,
		NULs: r.NULs,
		Levels: Levels{
			r.Levels[describe.Trace], r.Levels[describe.Debug], r.Levels[describe.Info], r.Levels[describe.Notice],
			r.Levels[describe.Warn], r.Levels[describe.Error], r.Levels[describe.Critical], r.Levels[describe.Alert],
			r.Levels[describe.Fatal], r.Levels[describe.Panic],
		},
		First: stampOfText(r.HeadStamp), Last: stampOfText(r.TailStamp),
	}
	if r.Bytes > 0 {
		d.Encoding = [...]string{"", "ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}[r.Encoding]
	}
	if r.Bad >= 0 {
		d.Invalid, d.InvalidAt = true, Offset(r.Bad)
	}
	if r.NULs > 0 {
		d.FirstNUL = Offset(r.FirstNUL)
		d.Binary = r.Encoding < describe.UTF16LE
	}
	return d
}

func stampOfText(s describe.Stamp) Stamp {
	return Stamp{s.Text, Offset(s.Offset), s.Time, s.Zone}
}

// describeAll describes a source from its beginning to its end.
func describeAll(ctx context.Context, src source.Source, plan scan.Plan) (describe.Part, error) {
	plan = plan.WithDefaults()
	workers := 1
	if src.Size() > plan.Alone {
		workers = src.Workers(int(min(int64(plan.Workers), src.Size()/plan.Stripe+1, 64)))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := describer{src: src, size: src.Size(), plan: plan, ahead: 4 * workers, done: map[int64]*describe.Part{}}
	d.wake.L = &d.mu
	var wg sync.WaitGroup
	work := func() {
		if d.fail(src.View(ctx, d.work)) {
			cancel()
		}
	}
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return d.whole, d.err
}

// describer hands out stripes to describe, and merges them in order.
type describer struct {
	src   source.Source
	size  int64
	plan  scan.Plan
	ahead int // stripes that may wait for one before them

	mu      sync.Mutex
	wake    sync.Cond // something was merged, or it is over
	next    int64     // where the next stripe begins
	dataEnd int64     // from next to here there is no hole
	whole   describe.Part
	done    map[int64]*describe.Part // what waits, by its beginning
	over    bool
	err     error // the first failure
}

// work describes stripes until there are none.
func (d *describer) work(v source.View) error {
	for {
		off, end, ok := d.take()
		if !ok {
			return nil
		}
		part, begin := new(describe.Part), off
		for off < end {
			block := int64(d.plan.Block)
			b, err := v.Block(off, int(min(block-off%block, end-off)))
			if err != nil {
				return err
			}
			if len(b) == 0 { // the end of a stream
				d.put(begin, part, true)
				return nil
			}
			part.Add(b)
			off += int64(len(b))
		}
		d.put(begin, part, false)
	}
}

// take returns the next stripe that is not hole.
func (d *describer) take() (off, end int64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.over && len(d.done) >= d.ahead {
		d.wake.Wait()
	}
	for {
		if d.over || d.next >= d.size {
			return 0, 0, false
		}
		off = d.next
		if off < d.dataEnd {
			break
		}
		end, hole, known := d.src.Extent(off)
		switch {
		case !known:
			d.dataEnd = d.size
		case hole:
			part := new(describe.Part)
			d.next = min(end, d.size)
			part.Zeros(d.next - off)
			d.done[off] = part
			d.merge()
		default:
			d.dataEnd = end
		}
	}
	stripe := d.plan.Stripe
	d.next = min(off-off%stripe+stripe, d.dataEnd, d.size)
	return off, d.next, true
}

// put gives what a stripe was found to be like, which is the last if so.
func (d *describer) put(off int64, part *describe.Part, last bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done[off] = part
	d.merge()
	if last {
		d.over = true
		d.wake.Broadcast()
	}
}

// merge merges what is complete. d.mu is locked.
func (d *describer) merge() {
	for {
		off := d.whole.Bytes
		part, ok := d.done[off]
		if !ok {
			return
		}
		delete(d.done, off)
		if part.Bytes > 0 {
			d.whole.Merge(part)
			d.plan.Progress(d.whole.Bytes)
		}
		d.wake.Broadcast()
		if part.Bytes == 0 {
			return
		}
	}
}

// fail keeps the first error and reports whether this is one.
func (d *describer) fail(err error) bool {
	if err == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		d.err = err
	}
	d.over = true
	d.wake.Broadcast()
	return true
}
