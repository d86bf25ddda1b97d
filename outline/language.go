package outline

import (
	"path"
	"strings"
)

// Language returns the language that a file is outlined as, by the extension of
// its name in any case: "markdown", "go", "typescript", "tsx", "javascript" or
// "python". It returns "" if there is no outline of such a file. An extension of a
// compressed file, as in a.md.gz, is passed over.
func Language(name string) string {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	extension := path.Ext(base)
	if compressed[strings.ToLower(extension)] {
		base = strings.TrimSuffix(base, extension)
		extension = path.Ext(base)
	}
	if extension == base {
		return "" // a dotfile
	}
	switch strings.ToLower(extension) {
	case ".md", ".markdown":
		return "markdown"
	case ".go":
		return "go"
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "tsx"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript"
	case ".py", ".pyi":
		return "python"
	}
	return ""
}

// compressed are the extensions of compressed files: what they hold has the name
// before.
var compressed = map[string]bool{".gz": true, ".zst": true, ".s2": true, ".sz": true, ".bz2": true, ".xz": true}

const supported = "Markdown (.md, .markdown), Go (.go), TypeScript (.ts, .tsx, .mts, .cts), JavaScript (.js, .jsx, .mjs, .cjs) and Python (.py, .pyi)"

// limitOf returns how many bytes a file of a language may have, by the memory
// that a hostile one takes: its parser keeps up to 220 bytes for a byte of
// Markdown and 100 for one of Go; a scanner keeps nothing but the entries.
func limitOf(language string) int {
	switch language {
	case "markdown":
		return 2 << 20
	case "go":
		return 4 << 20
	}
	return 16 << 20
}
