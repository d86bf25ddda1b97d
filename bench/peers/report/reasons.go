package main

import (
	"slices"
	"strings"

	"excerpt/bench/peers/internal/records"
)

// why says what the limit is where a goal is not met, by the name of the row in
// the table of measures, less the format and the client. It is shown only then.
var why = map[string]string{
	"count lines, one core":                    smallPages,
	"count lines, all cores":                   smallPages,
	"1,000 lines from the deepest tenth":       smallPages,
	"last million lines, in a program":         "What was found is read out once more, as fast as the system copies it: no page of a mapping is given to anyone.",
	"last 100 lines, in a program":             "It is a few reads and two looks at the file, whatever its size: system calls, which take several times as long on one machine as on another.",
	"count lines, one core, in a program":      "The other side counts a mapping that is kept, all of it resident. Ours is made anew each time, and its pages are let go behind the scan, so that memory does not follow the file: what is missing are the page faults.",
	"describe a file, all cores, in a program": "It looks at each byte for what it is and at each line for its length, time and level, where the count looks for line ends only.",
	"last 10 lines":                            "Nearly all of it is the start of a process, and that of a Go program takes longer than that of GNU's.",
	"count lines, cold cache":                  "Both wait for the disk. Where the spread reaches over the goal, its own differences decide.",
	"1,000 deep lines, indexed, in a program":  "It looks for the line ends of the one block that the index leaves, 256 KiB. Where the file is not mapped yet, that block is copied first.",
	"last 10 lines, read before":               "Ours does not grow with the file, and the other side does: it is the start of the larger program, and the sidecar, which has the last lines.",
	"first pass, in a program":                 "Besides decoding, the pass makes checksums, counts lines and keeps places, on another core where one is free.",
	"whole file, read before, in a program":    "It is decoded on all cores, from places in the file, and each part is compared with its checksum: as many times as fast as there are cores is the end.",
	"heap of an operation":                     "What is garbage and was not collected yet is counted too.",
	"an agent reads the last 1,000 lines":      "Most of it is the client's own, which decodes and checks the answer, of either server alike: see the same without a client's time.",
}

const smallPages = "It is bound by how fast a core reads memory, and the other side by how fast the system copies it, which is further apart on some machines than on others. Where the log lies in the system's cache in pages of 4 KiB, the system's work for each page takes longer than the counting, whether the page is mapped or read: a scan tries both, and goes on with the faster."

// reasons are those of what was not met, in the order of the table.
func reasons(set *records.Set) []string {
	var list []string
	for _, row := range goals(set)[1:] {
		name := strings.TrimSuffix(strings.TrimPrefix(row[0], "memory, "), ", TypeScript client")
		if _, after, ok := strings.Cut(name, ": "); ok {
			name = after
		}
		text := "*" + name + "*: " + why[name]
		if row[len(row)-1] == verdict(false) && why[name] != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
