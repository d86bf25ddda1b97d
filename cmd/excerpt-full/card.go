package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"excerpt/cmd/internal/cli"
	"excerpt/cmd/internal/command"
	"excerpt/readcard"
)

// drawCard is the verb read with --card.
func drawCard(ctx context.Context, r *command.Read, request []byte, w io.Writer, colours bool) error {
	files, end, err := r.Open()
	if err != nil {
		return err
	}
	defer func() { _ = end() }()
	answer := files.Call(ctx, request)
	if answer.Err != nil {
		return errors.New(answer.Err.Error())
	}
	out := bufio.NewWriter(w)
	paint := painter(colours)
	if window, ok := readcard.Project(answer); ok && (len(window.Lines) > 0 || answer.Body == "") {
		draw(out, paint, window, answer.Notice)
	} else {
		fmt.Fprintln(out, strings.TrimSuffix(visible(answer.Text()), "\n"))
	}
	return out.Flush()
}

// draw writes a title, each line with its number in a gutter, and a notice.
func draw(w io.Writer, paint painter, window readcard.Window, notice string) {
	lines := make([]string, len(window.Lines))
	width := 0
	for i, line := range window.Lines {
		lines[i] = visible(line.Text)
		width = max(width, len(strconv.FormatInt(line.Number, 10)))
	}
	fmt.Fprintf(w, "%s  %s\n", paint.on(bold, cli.Printable(window.Path)), paint.on(dim, rangeOf(window)))
	for i, code := range highlight(paint, window.Lang, lines) {
		fmt.Fprintf(w, "%s %s\n", paint.on(dim, fmt.Sprintf("%*d │", width, window.Lines[i].Number)), code)
	}
	if notice != "" {
		fmt.Fprintln(w, paint.on(dim, cli.Printable(notice)))
	}
}

// rangeOf says which lines a window has, and of how many.
func rangeOf(window readcard.Window) string {
	if len(window.Lines) == 0 {
		return fmt.Sprintf("no lines of %d", window.TotalLines)
	}
	first, last := window.Lines[0].Number, window.Lines[len(window.Lines)-1].Number
	if first == last {
		return fmt.Sprintf("line %d of %d", first, window.TotalLines)
	}
	return fmt.Sprintf("lines %d to %d of %d", first, last, window.TotalLines)
}
