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
	return langByExtension(strings.ToLower(base[dot+1:]))
}

// langByExtension is a table of hints, and small on purpose: what is not in it
// is drawn as plain text. It is no map, which would be made at each start.
func langByExtension(extension string) string {
	switch extension {
	case "bash", "sh", "zsh":
		return "bash"
	case "c", "h":
		return "c"
	case "cc", "cpp", "cxx", "hpp":
		return "cpp"
	case "cs":
		return "csharp"
	case "css":
		return "css"
	case "dart":
		return "dart"
	case "diff", "patch":
		return "diff"
	case "ex", "exs":
		return "elixir"
	case "go":
		return "go"
	case "hs":
		return "haskell"
	case "htm", "html":
		return "html"
	case "ini":
		return "ini"
	case "java":
		return "java"
	case "cjs", "js", "mjs":
		return "javascript"
	case "json", "jsonc", "jsonl":
		return "json"
	case "jsx":
		return "jsx"
	case "kt", "kts":
		return "kotlin"
	case "tex":
		return "latex"
	case "less":
		return "less"
	case "lua":
		return "lua"
	case "md":
		return "markdown"
	case "mdx":
		return "mdx"
	case "pl":
		return "perl"
	case "php":
		return "php"
	case "ps1":
		return "powershell"
	case "proto":
		return "protobuf"
	case "py", "pyi":
		return "python"
	case "r":
		return "r"
	case "rb":
		return "ruby"
	case "rs":
		return "rust"
	case "sass":
		return "sass"
	case "scala":
		return "scala"
	case "scss":
		return "scss"
	case "sql":
		return "sql"
	case "swift":
		return "swift"
	case "toml":
		return "toml"
	case "tsx":
		return "tsx"
	case "cts", "mts", "ts":
		return "typescript"
	case "vue":
		return "vue"
	case "svg", "xml":
		return "xml"
	case "yaml", "yml":
		return "yaml"
	case "zig":
		return "zig"
	}
	return ""
}
