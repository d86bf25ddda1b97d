// Package readfile is the read_file tool of an agent: it reads any part of a
// text file inside a workspace, and gives an answer that is right, bounded,
// valid UTF-8, and says how to go on.
//
// # Basics
//
// A [Tool] answers requests, as JSON with [Tool.Call] or as values with
// [Tool.Read]:
//
//	root, err := os.OpenRoot("/srv/logs")
//	tool, err := readfile.New(root, nil)
//	result := tool.Call(ctx, []byte(`{"path": "app.log", "tail": 100}`))
//	fmt.Println(result.Text())
//
// There is always an answer: what is wrong with a request or a file is a
// sentence that a model can act on, and [Result.Err].
//
// # What is read
//
// Without a selector, the file from its beginning; else its first lines (head),
// its last (tail) or a range (start_line and end_line, 1-based, both included).
// LF ends a line, and nothing else does. The text is the bytes of the lines,
// line ends and a byte order mark included; what is not UTF-8 becomes U+FFFD,
// which [Result.Replaced] and a notice say. A file whose first bytes are those
// of a known binary type or of UTF-16, or a NUL in what is read, is refused.
//
// # Limits
//
// An answer has at most [Options.Lines] lines and [Options.Bytes] bytes, and at
// most 2 KiB more for its notice. It is cut at a line end, a tail at its
// beginning, all others at their end. Of a line that alone is over the limit it
// has the first part. [Metadata] and the notice say what was returned, of how
// much, and the exact requests for the rest, which come to the whole selection
// if they are followed to their end.
//
// A column is a number of bytes of the text of a line, from 0. The text of line
// 1 does not have the byte order mark, and none has its line end, which is what
// is read from the column behind the text.
//
// # Compressed files
//
// With [Options.Open], compressed files are read for what they hold. Small ones
// are decoded before they are answered of, so that all is known of them; of
// others [Metadata] says no more than was decoded. [Result.Unverified] and a
// notice say of an answer that no checksum was seen for it. Of a damaged file
// there is an answer as far as it can be read, and where that is, in the notice;
// a tail is refused, with the request for the last lines that can be read.
//
// # Workspace
//
// Files are opened by an [os.Root]: no path and no link leads out of it. Paths
// are relative and have "/"; "a//b", "./a" and "a/../b" are taken for what they
// say, links aside. Only regular files are read. Trees of other kinds are
// mounted under a prefix ([Options.Mounts]), and not looked for on the disk.
package readfile
