package main

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// written are the lexers of the languages that cards are drawn in, as a test
// writes them. Chroma's package of lexers makes all of its 280 at each start of
// a program that links it: two thirds of the start of this one.
//
//go:embed lexers/*.xml
var written embed.FS

var registry = sync.OnceValue(func() *chroma.LexerRegistry {
	all := chroma.NewLexerRegistry()
	paths, err := fs.Glob(written, "lexers/*.xml")
	if err != nil {
		panic(err)
	}
	for _, path := range paths {
		all.Register(chroma.MustNewXMLLexer(written, path))
	}
	return all
})
