package describe

import (
	"strings"
	"testing"
	"time"
)

func TestStampIn(t *testing.T) {
	utc := func(y, mo, d, h, mi, s, n int) time.Time {
		return time.Date(y, time.Month(mo), d, h, mi, s, n, time.UTC)
	}
	for _, test := range []struct {
		line, text string
		time       time.Time
		zone       bool
	}{
		// RFC 3339, ISO 8601, and what is like them.
		{"2026-01-05T00:00:00.123Z INFO", "2026-01-05T00:00:00.123Z", utc(2026, 1, 5, 0, 0, 0, 123e6), true},
		{`{"ts":"2026-01-05T09:30:00+02:00"}`, "2026-01-05T09:30:00+02:00", utc(2026, 1, 5, 7, 30, 0, 0), true},
		{"2026-01-05t09:30:00z", "2026-01-05t09:30:00z", utc(2026, 1, 5, 9, 30, 0, 0), true},
		{"[2026-01-05 09:30:00.000000001 -0330] x", "2026-01-05 09:30:00.000000001 -0330", utc(2026, 1, 5, 13, 0, 0, 1), true},
		{"2026-01-05 09:30:00+00", "2026-01-05 09:30:00+00", utc(2026, 1, 5, 9, 30, 0, 0), true},
		{"2026-01-05 09:30:00.5 UTC [12] LOG:", "2026-01-05 09:30:00.5 UTC", utc(2026, 1, 5, 9, 30, 0, 5e8), true},
		{"2026-01-05 09:30:00 UTCX", "2026-01-05 09:30:00", utc(2026, 1, 5, 9, 30, 0, 0), false},
		{"2015-10-18 18:01:47,978 INFO [main]", "2015-10-18 18:01:47,978", utc(2015, 10, 18, 18, 1, 47, 978e6), false},
		{"2015-07-29 17:41:44,747 - INFO  [x]", "2015-07-29 17:41:44,747", utc(2015, 7, 29, 17, 41, 44, 747e6), false},
		{"2016-09-28 04:30:30, Info  CBS", "2016-09-28 04:30:30", utc(2016, 9, 28, 4, 30, 30, 0), false},
		{"2009/11/10 23:00:00 hello", "2009/11/10 23:00:00", utc(2009, 11, 10, 23, 0, 0, 0), false},
		{"api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO", "2017-05-16 00:00:00.008", utc(2017, 5, 16, 0, 0, 0, 8e6), false},
		{"2016-12-31 23:59:60Z", "2016-12-31 23:59:60Z", utc(2017, 1, 1, 0, 0, 0, 0), true},
		{"2024-02-29 00:00:00", "2024-02-29 00:00:00", utc(2024, 2, 29, 0, 0, 0, 0), false},
		{"2026-01-05 09:30:00 -5 degrees", "2026-01-05 09:30:00", utc(2026, 1, 5, 9, 30, 0, 0), false},
		// syslog, Apache, RFC 1123.
		{"Jun 14 15:16:01 combo sshd", "Jun 14 15:16:01", time.Time{}, false},
		{"<34>Jan  2 15:04:05 host", "Jan  2 15:04:05", time.Time{}, false},
		{"[Sun Dec 04 04:47:44 2005] [notice]", "Sun Dec 04 04:47:44 2005", utc(2005, 12, 4, 4, 47, 44, 0), false},
		{"[Sun Dec 04 04:47:44.123456 2005] [core:error]", "Sun Dec 04 04:47:44.123456 2005", utc(2005, 12, 4, 4, 47, 44, 123456e3), false},
		{`1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /"`, "10/Oct/2000:13:55:36 -0700", utc(2000, 10, 10, 20, 55, 36, 0), true},
		{"Mon, 02 Jan 2006 15:04:05 GMT", "02 Jan 2006 15:04:05 GMT", utc(2006, 1, 2, 15, 4, 5, 0), true},
		{"12:M 01 Jan 2024 00:00:00.123 * Ready", "01 Jan 2024 00:00:00.123", utc(2024, 1, 1, 0, 0, 0, 123e6), false},
		// Without a year, or with one that might be a day.
		{"03-17 16:13:38.811  1702  2395 D W", "03-17 16:13:38.811", time.Time{}, false},
		{"081109 203518 148 INFO", "081109 203518", time.Time{}, false},
		{"17/06/09 20:10:40 INFO", "17/06/09 20:10:40", time.Time{}, false},
		// Numbers of JSON.
		{`{"ts":1700000000.25,"msg":"x"}`, "1700000000.25", utc(2023, 11, 14, 22, 13, 20, 25e7), true},
		{`{"level":30,"time": 1700000000123}`, "1700000000123", utc(2023, 11, 14, 22, 13, 20, 123e6), true},
		{`{"@timestamp":1700000000123456}`, "1700000000123456", utc(2023, 11, 14, 22, 13, 20, 123456e3), true},
		{`{"t":1700000000123456789}`, "1700000000123456789", utc(2023, 11, 14, 22, 13, 20, 123456789), true},
		// None.
		{`{"id":1700000000}`, "", time.Time{}, false},
		{`{"ts":17000000001}`, "", time.Time{}, false},
		{"2026-13-05 00:00:00", "", time.Time{}, false},
		{"2026-02-30 00:00:00", "", time.Time{}, false},
		{"2026-01-05 24:00:00", "", time.Time{}, false},
		{"2026-01-05", "", time.Time{}, false},
		{"x2026-01-05 00:00:00x", "", time.Time{}, false},
		{"Jan  2", "", time.Time{}, false},
		{"Jan 32 00:00:00", "", time.Time{}, false},
		{"version 1.2.3 of 10:11:12", "", time.Time{}, false},
		{strings.Repeat(" ", 250) + "2026-01-05 00:00:00", "", time.Time{}, false},
		{"", "", time.Time{}, false},
	} {
		got := stampIn([]byte(test.line))
		if got.Text != test.text || !got.Time.Equal(test.time) || got.Zone != test.zone {
			t.Errorf("%q: %+v, want %q %v %t", test.line, got, test.text, test.time, test.zone)
		}
		if test.text != "" && int(got.Offset) != strings.Index(test.line, test.text) {
			t.Errorf("%q: at %d", test.line, got.Offset)
		}
		for n := range test.line { // no cut line is too much for it
			stampIn([]byte(test.line[:n]))
		}
	}
}

func TestFirstAndLastStamp(t *testing.T) {
	const stamp = "2026-01-05 00:00:0"
	long := strings.Repeat("x", Sample)
	for _, test := range []struct{ text, first, last string }{
		{"", "", ""},
		{"none\nat all\n", "", ""},
		{stamp + "1", stamp + "1", stamp + "1"},
		{"# log\n" + stamp + "1 a\n" + stamp + "2 b\n\tat x\n", stamp + "1", stamp + "2"},
		{stamp + "1\n" + long + "\n" + stamp + "2\n", stamp + "1", stamp + "2"},
		{long + "\n" + stamp + "1\n", "", stamp + "1"}, // too far from the beginning
		{stamp + "1\n" + long, stamp + "1", ""},        // and from the end
		{stamp + "1 " + long, stamp + "1", ""},         // the last 16 KiB begin within a line
		{"\ufeff" + stamp + "1\r\n", stamp + "1", stamp + "1"},
	} {
		for _, block := range []int{1, 100, 1 << 20} {
			r := fed([]byte(test.text), block, piece).Finish()
			for _, s := range []struct {
				name string
				got  Stamp
				want string
				at   int
			}{
				{"first", r.HeadStamp, test.first, strings.Index(test.text, test.first)},
				{"last", r.TailStamp, test.last, strings.LastIndex(test.text, test.last)},
			} {
				if s.got.Text != s.want || s.want != "" && int(s.got.Offset) != s.at {
					t.Errorf("%s stamp of %.60q (%d bytes): %+v, want %q at %d", s.name, test.text, len(test.text), s.got, s.want, s.at)
				}
			}
		}
	}
}
