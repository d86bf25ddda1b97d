package command

import (
	"bytes"
	"io"
)

// dimmer makes the numbers of numbered lines dim on a terminal.
type dimmer struct {
	w   io.Writer
	at  place
	buf []byte
}

// place is where in a numbered line a dimmer is.
type place int

const (
	atStart place = iota
	inNumber
	inText
)

func (d *dimmer) Write(p []byte) (int, error) {
	d.buf = d.buf[:0]
	for rest := p; len(rest) > 0; {
		last := byte('\n')
		if d.at == atStart {
			d.buf = append(d.buf, "\x1b[2m"...)
			d.at = inNumber
		}
		if d.at == inNumber {
			last = ' '
		}
		i := bytes.IndexByte(rest, last)
		if i < 0 {
			d.buf = append(d.buf, rest...)
			break
		}
		d.buf = append(d.buf, rest[:i+1]...)
		rest = rest[i+1:]
		if d.at == inNumber {
			d.buf = append(d.buf, "\x1b[22m"...)
			d.at = inText
		} else {
			d.at = atStart
		}
	}
	if _, err := d.w.Write(d.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}
