package main

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// highlight returns the lines in colours, as a language has them. What it does
// not know stays as it is.
func highlight(paint painter, lang string, lines []string) []string {
	lexer := lexerOf(lang)
	if !paint || lexer == nil || len(lines) == 0 {
		return lines
	}
	code := strings.Join(lines, "\n")
	tokens, err := chroma.Tokenise(chroma.Coalesce(lexer), nil, code)
	if err != nil {
		return lines
	}
	painted := make([]string, 0, len(lines))
	var line strings.Builder
	for _, token := range tokens {
		for i, part := range strings.Split(token.Value, "\n") {
			if i > 0 {
				painted = append(painted, line.String())
				line.Reset()
			}
			line.WriteString(paint.on(colourOf(token.Type), part))
		}
	}
	if painted = append(painted, line.String()); len(painted) < len(lines) {
		return lines // it has lost some
	}
	return painted[:len(lines)]
}

// renamed are the languages that chroma has another name for.
var renamed = map[string]string{
	"latex": "tex",
	"less":  "scss",
	"mdx":   "markdown",
}

func lexerOf(lang string) chroma.Lexer {
	if lang == "" {
		return nil
	}
	if name, ok := renamed[lang]; ok {
		lang = name
	}
	return registry().Get(lang)
}

// colourOf returns the colour of a kind of token.
func colourOf(kind chroma.TokenType) string {
	switch {
	case kind == chroma.GenericDeleted, kind == chroma.Error:
		return red
	case kind == chroma.GenericInserted:
		return green
	case kind == chroma.GenericHeading, kind == chroma.GenericSubheading, kind == chroma.GenericStrong:
		return bold
	case kind == chroma.CommentPreproc, kind == chroma.CommentPreprocFile:
		return magenta
	case kind.InCategory(chroma.Comment):
		return dim
	case kind == chroma.KeywordType:
		return cyan
	case kind.InCategory(chroma.Keyword), kind == chroma.NameTag:
		return magenta
	case kind.InSubCategory(chroma.LiteralString):
		return green
	case kind.InSubCategory(chroma.LiteralNumber):
		return yellow
	case kind == chroma.NameFunction, kind == chroma.NameClass, kind == chroma.NameAttribute:
		return blue
	}
	return ""
}
