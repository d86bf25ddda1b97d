package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"excerpt/readcard"
)

// extensions are those that there is a hint of a language for.
var extensions = strings.Fields(`bash c cc cjs cpp cs css cts cxx dart diff ex exs go h hpp hs htm html ini java js json jsonc
	jsonl jsx kt kts less lua md mdx mjs mts patch php pl proto ps1 py pyi r rb rs sass scala scss sh sql svg swift tex toml
	ts tsx vue xml yaml yml zig zsh`)

// TestLexers: the folder has the lexer of each language that there is a hint
// of, as chroma has it, and those that they use.
func TestLexers(t *testing.T) {
	want := map[string][]byte{}
	var add func(name string)
	add = func(name string) {
		lexer := regexLexer(t, name)
		file := fileOf(lexer)
		if want[file] != nil {
			return
		}
		text, err := chroma.Marshal(lexer)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want[file] = append(sorted(text), '\n')
		for _, used := range regexp.MustCompile(`<using lexer="([^"]+)"`).FindAllSubmatch(text, -1) {
			add(string(used[1]))
		}
	}
	for _, extension := range extensions {
		lang := readcard.Lang("a." + extension)
		if name, ok := renamed[lang]; ok {
			lang = name
		}
		add(lang)
	}
	if *update {
		if err := writeLexers(want); err != nil {
			t.Fatal(err)
		}
	}
	have, err := fs.Glob(written, "lexers/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range have {
		if text, err := written.ReadFile(path); err != nil || !bytes.Equal(text, want[filepath.Base(path)]) {
			t.Errorf("%s is not what chroma has (go test ./cmd/excerpt-full -run Lexers -update): %v", path, err)
		}
		delete(want, filepath.Base(path))
	}
	for name := range want {
		t.Errorf("%s is missing (go test ./cmd/excerpt-full -run Lexers -update)", name)
	}
}

// regexLexer returns what chroma has under a name, less what it wraps it with.
func regexLexer(t *testing.T, name string) *chroma.RegexLexer {
	t.Helper()
	lexer := lexers.Get(name)
	if of := reflect.Indirect(reflect.ValueOf(lexer)).FieldByName("Lexer"); of.IsValid() {
		lexer, _ = of.Interface().(chroma.Lexer)
	}
	regex, ok := lexer.(*chroma.RegexLexer)
	if !ok {
		t.Fatalf("%s: a %T can't be written", name, lexers.Get(name))
	}
	if name == "go" { // it paints raw strings as templates, which can't be written
		for i, rule := range regex.MustRules()["root"] {
			if strings.HasPrefix(rule.Pattern, "(`)") {
				regex.MustRules()["root"][i].Type = chroma.ByGroups(chroma.LiteralString, chroma.LiteralString, chroma.LiteralString)
			}
		}
	}
	return regex
}

var states = regexp.MustCompile(`(?ms)^    <state [^\n]*/>\n|^    <state .*?^    </state>\n`)

// sorted puts the states of a lexer in order, which come in any.
func sorted(text []byte) []byte {
	all := states.FindAll(text, -1)
	slices.SortFunc(all, bytes.Compare)
	i := -1
	return states.ReplaceAllFunc(text, func([]byte) []byte { i++; return all[i] })
}

func fileOf(lexer chroma.Lexer) string {
	return strings.ToLower(strings.ReplaceAll(lexer.Config().Name, " ", "-")) + ".xml"
}

func writeLexers(files map[string][]byte) error {
	old, err := filepath.Glob("lexers/*.xml")
	for _, path := range old {
		err = errors.Join(err, os.Remove(path))
	}
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join("lexers", name), text, 0o666))
	}
	if err == nil {
		err = fmt.Errorf("%d lexers were written: test again", len(files))
	}
	return err
}
