package logset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOrder has the names of sets in their order, and names that are of no set.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		live  string
		names []string // the oldest first
		not   []string
	}{
		{
			"app.log",
			[]string{"app.log.10.gz", "app.log.9.gz", "app.log.3.zst", "app.log.2", "app.log.2.gz", "app.log.1", "app.log.0", "app.log"},
			[]string{
				"app.log.01", "app.log.1.gz.tmp", "app.log.gz.1", "app.log-1", "app.log.1x", "app.log.x", "app.log.", "app.log-", "app.log2", "app.log1.gz",
				"app.log.1.gz-2026113013.backup", "xapp.log.1", "app.log.999999", "app.log.-1", "app.log.1.", "app.logs", "app", "app.1.gz", "other.1.log",
				"app.log-20265430", "app.log-20261132", "app.log-18001130", "app.log-2026", "app.log-20261130-", "app.log--20261130", "app.log-20261130x",
				"app.log-123456789012345678901", "app.log-0764500000", "app.log-20261130.log", ".log", "app.log.log", "app-1.log", "app.1.log.1",
			},
		},
		{"app.log", []string{"app.log-20251231.bz2", "app.log-20261129.gz", "app.log-20261130", "app.log"}, nil},
		{"app.log", []string{"app.log-20261130-09.zst", "app.log-20261130-10", "app.log-20261201-00", "app.log"}, nil},
		{"app.log", []string{"app.log-2026113009.gz", "app.log-2026113010", "app.log-2026120100", "app.log"}, nil},
		{"app.log", []string{"app.log-999", "app.log-1764500000.gz", "app.log-1764503600", "app.log"}[1:], []string{"app.log-999"}},
		{"app.log", []string{"app.log-20261130-1764500000", "app.log-20261130-1764503600.gz", "app.log"}, nil},
		{"app.log", []string{"app.log.2026-11-29", "app.log.2026-11-30T13:15:00", "app.log_20261130-14.gz", "app.log"}, nil},
		{"app.log", []string{"app.log-202610", "app.log-202611.gz", "app.log"}, nil},
		{"app.log", []string{"app.3.log.gz", "app.2.log", "app.1.log", "app.log"}, nil},
		{"app.log", []string{"app-20261129.log.xz", "app-20261130.log", "app.log"}, nil},
		{"app.log", []string{"app-2026-11-30T13-00-00.000.log.gz", "app-2026-11-30T14-00-00.000.log", "app.log"}, nil},
		{"syslog", []string{"syslog.3.gz", "syslog.2.gz", "syslog.1", "syslog"}, []string{"syslog.log"}},
		{"app.log.1", []string{"app.log.1.1", "app.log.1"}, []string{"app.log", "app.log.2"}},
	} {
		shuffled := slices.Clone(test.names)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		var names []name
		for _, file := range shuffled {
			n, ok := parse(test.live, file)
			if !ok {
				t.Errorf("%s is not taken for a file of %s", file, test.live)
			}
			names = append(names, n)
		}
		slices.SortFunc(names, older)
		var got []string
		for _, n := range names {
			got = append(got, n.file)
		}
		if diff := cmp.Diff(test.names, got); diff != "" {
			t.Errorf("oldest first: %s", diff)
		}
		for _, file := range test.not {
			if n, ok := parse(test.live, file); ok {
				t.Errorf("%s is taken for a file of %s: %+v", file, test.live, n)
			}
		}
	}
}

func TestGaps(t *testing.T) {
	for _, test := range []struct{ names, missing []string }{
		{[]string{"app.log"}, nil},
		{[]string{"app.log", "app.log.0"}, nil},
		{[]string{"app.log", "app.log.1", "app.log.2.gz", "app.log.2"}, nil},
		{[]string{"app.log", "app.log.2"}, []string{"app.log.1"}},
		{[]string{"app.log", "app.log.0", "app.log.2", "app.log.99999.gz"}, []string{"app.log.1", "app.log.3 to app.log.99998"}},
		{[]string{"app.log", "app.1.log", "app.4.log"}, []string{"app.2.log to app.3.log"}},
		{[]string{"app.log", "app.2.log", "app.log.2"}, []string{"app.1.log", "app.log.1"}},
		{[]string{"app.log", "app.log-20261130", "app.log-20261201"}, nil},
	} {
		var names []name
		for _, file := range test.names {
			n, _ := parse("app.log", file)
			names = append(names, n)
		}
		slices.SortFunc(names, older)
		var got []string
		for _, n := range gaps("app.log", names) {
			got = append(got, n.file)
		}
		if diff := cmp.Diff(test.missing, got); diff != "" {
			t.Errorf("%q: %s", test.names, diff)
		}
	}
}

// FuzzNames has no name crash it, and names be of the set if what they are made of is.
func FuzzNames(f *testing.F) {
	f.Add("app.log", "app.log.1.gz")
	f.Add("app.log", "app-20261130.log")
	f.Add("", ".1")
	f.Fuzz(func(t *testing.T, live, file string) {
		n, ok := parse(live, file)
		if ok && (n.file != file || n.kind.dated != (n.stamp != "") || n.number < 0) {
			t.Errorf("%q of %q: %+v", file, live, n)
		}
		if n, ok := parse(live, live+".7.gz"); live != "" && (!ok || n.number != 7 || n.kind.dated || n.bare != live+".7") {
			t.Errorf("%q: %+v, %v", live+".7.gz", n, ok)
		}
		_, _ = parse(live, live+file)
	})
}
