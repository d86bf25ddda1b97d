package command

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"excerpt/cmd/internal/cli"
)

type completion struct{}

const completionHelp = `usage: excerpt completion bash | zsh | fish

Print a script that makes a shell complete verbs, flags and files.

  bash               source <(excerpt completion bash), in ~/.bashrc
  zsh                source <(excerpt completion zsh), in ~/.zshrc after compinit
  fish               excerpt completion fish | source, in config.fish
`

func shells() []string { return slices.Sorted(maps.Keys(scripts())) }

// scripts have a shell ask the program what could come next. Where it says
// nothing, they complete files as the shell does.
func scripts() map[string]string {
	return map[string]string{
		"bash": `_excerpt() {
    local IFS=$'\n'
    COMPREPLY=($("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o filenames -F _excerpt excerpt
`,
		"zsh": `#compdef excerpt
_excerpt() {
    local -a found
    found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    found=("${(@)found:#}")
    if (( CURRENT > 2 )) && [[ ${words[CURRENT]} != -* && ${words[2]} != (help|completion) ]]; then
        _files
    else
        compadd -- "${found[@]}"
    fi
}
compdef _excerpt excerpt
`,
		"fish": `function __excerpt_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c excerpt -a '(__excerpt_complete)'
`,
	}
}

func (*completion) define(*flags) {}

// words are what the operand can be.
func (*completion) words() []string { return shells() }

func (*completion) run(_ context.Context, out *output, names []string) error {
	if len(names) != 1 {
		return cli.Usage("one SHELL is wanted: %s", strings.Join(shells(), ", "))
	}
	script, ok := scripts()[names[0]]
	if !ok {
		return cli.Usage("SHELL %q: want one of %s", names[0], strings.Join(shells(), ", "))
	}
	_, err := io.WriteString(out, script)
	return err
}

// completeVerb is what the scripts call, with the words of a command line up to
// the one that is to be completed. It is in no help.
const completeVerb = "__complete"

// complete prints what the last word can become, a line for each; nothing where
// it is a file, or anything.
func complete(w io.Writer, words []string) error {
	if len(words) == 0 {
		return nil
	}
	for _, word := range completions(words[:len(words)-1], words[len(words)-1]) {
		if _, err := fmt.Fprintln(w, word); err != nil {
			return err
		}
	}
	return nil
}

// completions returns what word can become after the words before it.
func completions(before []string, word string) (found []string) {
	matching := func(words []string, lead string) []string {
		for _, one := range words {
			if strings.HasPrefix(one, word) {
				found = append(found, lead+one)
			}
		}
		return found
	}
	if len(before) == 0 {
		return matching(verbNames(), "")
	}
	v, err := find(before[0])
	if err != nil {
		return nil
	}
	c, f := v.command(), newFlags()
	new(globals).define(f)
	c.define(f)
	if last := len(before) - 1; word == "=" { // bash makes three words of --flag=value
		word = ""
	} else if before[last] == "=" {
		before = before[:last]
	}
	lead := ""
	flag := before[len(before)-1] // that word may be the value of
	if name, value, ok := strings.Cut(word, "="); ok {
		lead, flag, word = name+"=", name, value
	}
	if name, ok := strings.CutPrefix(flag, "--"); ok {
		if flag := f.Lookup(name); flag != nil {
			if known, ok := flag.Value.(*choice); ok {
				return matching(known.of, lead)
			}
		}
	}
	switch operands, ok := c.(interface{ words() []string }); {
	case lead != "":
		return nil
	case strings.HasPrefix(word, "-"):
		return matching(f.long(), "")
	case ok:
		return matching(operands.words(), "")
	}
	return nil
}
