package readcard

import (
	"path"
	"strings"
)

// Lang returns a hint of the language of a file for highlighting, such as
// "typescript", by the extension of its last path segment in any case. It
// returns "" for an unknown extension, for a name without one, for one that
// ends in a dot, and for a dotfile such as ".gitignore".
func Lang(name string) string {
	base := path.Base(name)
	if strings.HasSuffix(name, "/") {
		return ""
	}
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 {
		return ""
	}
	return langByExtension[strings.ToLower(base[dot+1:])]
}

// langByExtension is a table of hints, and small on purpose: what is not in it
// is drawn as plain text.
var langByExtension = map[string]string{
	"bash":  "bash",
	"c":     "c",
	"cc":    "cpp",
	"cjs":   "javascript",
	"cpp":   "cpp",
	"cs":    "csharp",
	"css":   "css",
	"cts":   "typescript",
	"cxx":   "cpp",
	"dart":  "dart",
	"diff":  "diff",
	"ex":    "elixir",
	"exs":   "elixir",
	"go":    "go",
	"h":     "c",
	"hpp":   "cpp",
	"hs":    "haskell",
	"htm":   "html",
	"html":  "html",
	"ini":   "ini",
	"java":  "java",
	"js":    "javascript",
	"json":  "json",
	"jsonc": "json",
	"jsonl": "json",
	"jsx":   "jsx",
	"kt":    "kotlin",
	"kts":   "kotlin",
	"less":  "less",
	"lua":   "lua",
	"md":    "markdown",
	"mdx":   "mdx",
	"mjs":   "javascript",
	"mts":   "typescript",
	"patch": "diff",
	"php":   "php",
	"pl":    "perl",
	"proto": "protobuf",
	"ps1":   "powershell",
	"py":    "python",
	"pyi":   "python",
	"r":     "r",
	"rb":    "ruby",
	"rs":    "rust",
	"sass":  "sass",
	"scala": "scala",
	"scss":  "scss",
	"sh":    "bash",
	"sql":   "sql",
	"svg":   "xml",
	"swift": "swift",
	"tex":   "latex",
	"toml":  "toml",
	"ts":    "typescript",
	"tsx":   "tsx",
	"vue":   "vue",
	"xml":   "xml",
	"yaml":  "yaml",
	"yml":   "yaml",
	"zig":   "zig",
	"zsh":   "bash",
}
