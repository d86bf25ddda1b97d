package command

import (
	"bufio"
	"context"
	"strconv"
	"unicode/utf8"

	"excerpt/engine"
	"excerpt/engine/utf8safe"
)

// writeJSON writes an object for each line of the span: it is made by hand,
// since that is fast, and starts fast.
func writeJSON(ctx context.Context, out *output, span *engine.Span) error {
	if _, err := span.Number(ctx); err != nil {
		return err
	}
	buf := bufio.NewWriterSize(out, 4*manyBytes)
	var object []byte
	for line, err := range span.All() {
		if err != nil {
			_ = buf.Flush() // what came before it is right
			return err
		}
		object = appendLine(object[:0], line)
		if _, err := buf.Write(object); err != nil {
			return err
		}
	}
	return buf.Flush()
}

func appendLine(b []byte, line engine.Line) []byte {
	b = strconv.AppendInt(append(b, `{"line":`...), int64(line.Number), 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), int64(line.Offset), 10)
	b = strconv.AppendInt(append(b, `,"bytes":`...), line.Bytes, 10)
	b = appendString(append(b, `,"text":`...), line.Text)
	if line.Cut {
		b = append(b, `,"truncated":true`...)
	}
	if !utf8.Valid(line.Text) {
		b = append(b, `,"invalid":true`...)
	}
	return append(b, "}\n"...)
}

// appendString appends s as a JSON string, with U+FFFD for what is not UTF-8.
func appendString(b, s []byte) []byte {
	const hex = "0123456789abcdef"
	if !utf8.Valid(s) {
		s = utf8safe.AppendValid(nil, s)
	}
	b = append(b, '"')
	plain := 0 // from here on, nothing needs an escape
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			continue
		}
		b = append(b, s[plain:i]...)
		plain = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, `\u00`...)
			b = append(b, hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[plain:]...), '"')
}
