package logset

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A name is the name of a file of a set, and what it says of its place there.
type name struct {
	file string // in its folder
	bare string // file, less what compression has put behind it
	kind kind

	folder bool // it is one, in place of a file
	link   bool // to what may not be there

	number int    // of a numbered one: the larger, the older
	stamp  string // of a dated one: digits that sort by time
}

// A kind is how members are named. A set has one kind beside the live file,
// unless the configuration was changed.
type kind struct {
	dated  bool
	inside bool // the number or date stands before the extension: app.1.log
	live   bool
}

// suffixes are what compression puts behind a name. What is in a file is known
// by its content; its name says only that it should be compressed.
var suffixes = []string{".gz", ".zst", ".bz2", ".xz", ".s2", ".sz", ".lz4", ".lzma", ".lzo", ".br", ".Z", ".zip", ".zstd"}

// parse takes the name of a file apart, if it is one of the set of live.
func parse(live, file string) (n name, ok bool) {
	n = name{file: file, bare: file}
	for _, suffix := range suffixes {
		if bare, ok := strings.CutSuffix(file, suffix); ok && file != live {
			n.bare = bare
			break
		}
	}
	if n.bare == live {
		n.kind.live = true
		return n, true
	}
	if middle, ok := strings.CutPrefix(n.bare, live); ok && n.place(middle) {
		return n, true
	}
	ext := path.Ext(live)
	stem := strings.TrimSuffix(live, ext)
	middle, ok := strings.CutPrefix(strings.TrimSuffix(n.bare, ext), stem)
	if ok && stem != "" && ext != "" && strings.HasSuffix(n.bare, ext) && n.place(middle) {
		n.kind.inside = true
		return n, true
	}
	return n, false
}

// packed reports whether the name says that the file is compressed.
func (n *name) packed() bool { return n.file != n.bare }

// place reads what stands behind the name of the live file: .1, -20261130.
func (n *name) place(middle string) bool {
	if len(middle) < 2 || !strings.Contains(".-_", middle[:1]) {
		return false
	}
	if digits := middle[1:]; middle[0] == '.' && len(digits) < 6 && isDigits(digits) && (digits == "0" || digits[0] != '0') {
		n.number, _ = strconv.Atoi(digits)
		return true
	}
	n.stamp = stampOf(middle[1:])
	n.kind.dated = n.stamp != ""
	return n.kind.dated
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// stampDigits is how many digits a stamp is filled up to. It has no more.
const stampDigits = 20

// stampOf returns digits that sort by time, or "" if s is no date: 20261130,
// 2026-11-30, 2026113013, 20261130-131500, 2026-11-30T13:15:00, 202611, or the
// seconds since 1970.
func stampOf(s string) string {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.:T", r) {
			return -1
		}
		return r
	}, s)
	if !isDigits(digits) || len(digits) < 6 || len(digits) > stampDigits || !isDigits(s[:1]) || !isDigits(s[len(s)-1:]) {
		return ""
	}
	if seconds, err := strconv.ParseInt(s, 10, 64); err == nil && len(s) == 10 && !isDate(s) && seconds >= 1e9 {
		digits = time.Unix(seconds, 0).UTC().Format("20060102150405")
	}
	if !isDate(digits) {
		return ""
	}
	return digits + strings.Repeat("0", stampDigits-len(digits))
}

// isDate reports whether digits begin with a year and a month, or a week, and go
// on with a day and an hour.
func isDate(digits string) bool {
	within := func(from int, low, high string) bool {
		if len(digits) < from+2 {
			return len(digits) == from
		}
		two := digits[from : from+2]
		return low <= two && two <= high
	}
	year := digits[:4]
	return "1970" <= year && year < "2200" && within(4, "00", "53") &&
		(len(digits) == 6 || within(6, "01", "31") && within(8, "00", "23"))
}

// older sorts names by their kinds, the live ones last, and those of one kind by
// their age, the oldest first. Names that differ in compression stay together.
func older(a, b name) int {
	return cmp.Or(
		cmp.Compare(btoi(a.kind.live), btoi(b.kind.live)), cmp.Compare(btoi(a.kind.dated), btoi(b.kind.dated)),
		cmp.Compare(btoi(a.kind.inside), btoi(b.kind.inside)),
		cmp.Compare(b.number, a.number), cmp.Compare(a.stamp, b.stamp), cmp.Compare(a.bare, b.bare),
		cmp.Compare(len(a.file), len(b.file)), cmp.Compare(a.file, b.file))
}

// gaps returns the names that are missing between the numbers that are there,
// each a run of them. names are sorted. Which dates there should be, nobody knows.
func gaps(live string, names []name) (missing []name) {
	var last name
	for _, n := range slices.Backward(names) { // the newest first
		if n.kind.live || n.kind.dated {
			continue
		}
		if n.kind != last.kind || last.file == "" {
			last = name{kind: n.kind} // numbers begin at 0 or 1
		}
		if first, end := last.number+1, n.number-1; first <= end {
			gap := name{kind: n.kind, number: end}
			gap.file = numberedName(live, n.kind, first)
			if first < end {
				gap.file += " to " + numberedName(live, n.kind, end)
			}
			gap.bare = gap.file
			missing = append(missing, gap)
		}
		last = n
	}
	return missing
}

func numberedName(live string, k kind, number int) string {
	if k.inside {
		ext := path.Ext(live)
		return strings.TrimSuffix(live, ext) + "." + strconv.Itoa(number) + ext
	}
	return live + "." + strconv.Itoa(number)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
