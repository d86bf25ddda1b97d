// Package engine reads any part of a text file of any size: its first lines,
// its last, a range of lines, a prefix, without reading the rest.
//
// # Basics
//
// A request goes one way: a selection is located, and gives a span; a span is
// read.
//
//	f, err := engine.Open("app.log", nil)
//	defer f.Close()
//
//	last, err := f.Tail(ctx, 100)           // located, not yet read
//	_, err = last.WriteTo(os.Stdout)        // its bytes, streamed
//
//	part, err := f.Lines(ctx, 120, 220)     // 1-based, both included
//	text, err := part.Text(engine.Limits{}) // cut to limits
//	for line, err := range part.All() { … } // number, offset, text
//
// The selections are the methods [File.Head], [File.Tail], [File.Lines],
// [File.Prefix], [File.Bytes] and [File.All]; [File.Count] counts, and
// [File.Describe] says what the file is like. What a span
// gives is [Span.WriteTo], [Span.WriteNumbered], [Span.Text] and [Span.All].
//
// # What a line is
//
// LF ends a line, and belongs to it. Nothing else ends one: no lone CR, no form
// feed, no U+2028. A file that ends with LF has no empty line behind it; a last
// line without LF is a line; an empty file has none. The text of a line is the
// line without its LF and without a CR just before that.
//
// # Cost
//
// Locating reads no more than it must: a tail depends on what it returns and not
// on the file; a range is found by counting the line ends before it, at the
// speed of memory, on several cores where the way is long. A file is mapped once
// enough of it was read for that to pay.
// No operation's memory grows with the file or with its longest line. Pages
// that a scan has passed do not stay resident.
//
// What was counted once is known: a checkpoint of the count every 256 KiB, for
// all who read the file in this program, and of what is large also in a sidecar
// in the user's cache folder (see [Options.Cache]). So a second look at any
// line, or at the number of lines, takes microseconds, and a log that has grown
// is counted from its old end on.
//
// # Caveats
//
// A File is a snapshot: its size is the one it had when it was opened, until
// [File.Refresh].
//
// A file can change while it is read. If it was cut short, or written anew,
// operations give [ErrTruncated]: never a signal, and never bytes that the file
// did not have. This is known from its size, and from its first and last bytes
// if its time of modification has changed; a file that is overwritten in its
// middle is read as it is by then.
//
// What is known of its lines is used as long as the file's times say that it
// was not touched since, or it has grown or was renamed and 128 samples of its
// content, at even distances, are what they were. Else it is counted again. So
// it goes unnoticed if a file is overwritten between the samples and then
// appended to, or if it is overwritten through a mapping, which changes its
// time only later. Use [NoCache] and a new File for a file of that kind.
//
// Bytes that are not UTF-8 are bytes like any other. [Limits] can have them
// replaced.
//
// A line can be as long as the file. What returns lines as text therefore has a
// limit: [MaxText], or that of [Limits].
package engine
