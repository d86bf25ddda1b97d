package main

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"excerpt/cmd/internal/cli"
)

type completion struct {
	Args struct {
		Shells []shell `positional-arg-name:"SHELL"`
	} `positional-args:"yes"`
}

const completionHelp = `usage: excerpt completion bash | zsh | fish

Print a script that makes a shell complete verbs, flags and files.

  bash               source <(excerpt completion bash), in ~/.bashrc
  zsh                source <(excerpt completion zsh), in ~/.zshrc after compinit
  fish               excerpt completion fish | source, in config.fish
`

// shell is the name of one that there is a script for.
type shell string

// Complete returns the shells that begin with match.
func (shell) Complete(match string) (found []flags.Completion) {
	for _, name := range shells() {
		if strings.HasPrefix(name, match) {
			found = append(found, flags.Completion{Item: name})
		}
	}
	return found
}

func shells() []string { return slices.Sorted(maps.Keys(scripts())) }

// scripts have a shell ask the program what could come next. Where it says
// nothing, they complete files as the shell does.
func scripts() map[string]string {
	return map[string]string{
		"bash": `_excerpt() {
    local IFS=$'\n'
    COMPREPLY=($(GO_FLAGS_COMPLETION=1 "${COMP_WORDS[0]}" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o filenames -F _excerpt excerpt
`,
		"zsh": `#compdef excerpt
_excerpt() {
    local -a found
    found=("${(@f)$(GO_FLAGS_COMPLETION=1 "${words[1]}" "${(@)words[2,CURRENT]}" 2>/dev/null)}")
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
    GO_FLAGS_COMPLETION=1 $words[1] $words[2..-1] 2>/dev/null
end
complete -c excerpt -a '(__excerpt_complete)'
`,
	}
}

func (c *completion) run(_ context.Context, out *output) error {
	if len(c.Args.Shells) != 1 {
		return cli.Usage("one SHELL is wanted: %s", strings.Join(shells(), ", "))
	}
	script, ok := scripts()[string(c.Args.Shells[0])]
	if !ok {
		return cli.Usage("SHELL %q: want one of %s", c.Args.Shells[0], strings.Join(shells(), ", "))
	}
	_, err := io.WriteString(out, script)
	return err
}
