package engine_test

import (
	"fmt"
	"log"
	"strings"

	"excerpt/engine"
)

func ExampleFile_Describe() {
	const text = "2026-01-05 09:00:00.250 INFO  started\r\n" +
		"2026-01-05 09:00:01.000 ERROR disk full: caf\u00e9\r\n" +
		"2026-01-05 09:00:07.500 INFO  stopped"
	f := engine.New("app.log", strings.NewReader(text), int64(len(text)), nil)
	defer f.Close()

	d, err := f.Describe(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Bytes, "bytes,", d.Lines, "lines, the longest is line", d.Longest, "of", d.LongestBytes, "bytes")
	fmt.Println(d.Encoding, d.LineEnds, d.Ended, d.Binary)
	fmt.Println(d.Levels.Info, d.Levels.Error)
	fmt.Println(d.First.Text, d.Last.Time.Sub(d.First.Time))
	// Output:
	// 124 bytes, 3 lines, the longest is line 2 of 46 bytes
	// UTF-8 CR LF false false
	// 2 1
	// 2026-01-05 09:00:00.250 7.25s
}

func ExampleLineEnds_String() {
	fmt.Println(engine.LineEnds{LF: 3}, engine.LineEnds{CRLF: 3, CR: 1}, engine.LineEnds{LF: 3, CRLF: 1})
	// Output: LF CR LF mixed
}

func ExampleDescription_String() {
	const text = "2026-01-05 09:00:00.250 INFO  started\n"
	f := engine.New("app.log", strings.NewReader(text), int64(len(text)), nil)
	defer f.Close()

	d, err := f.Describe(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(d)
	// Output:
	// bytes         38
	// lines         1
	// longest line  line 1, 37 bytes
	// line ends     LF
	// encoding      ASCII
	// levels        INFO 1
	// first stamp   2026-01-05 09:00:00.250
	// last stamp    2026-01-05 09:00:00.250
}

func ExampleLevels_String() {
	fmt.Println(engine.Levels{Info: 12, Error: 3})
	// Output: INFO 12, ERROR 3
}
