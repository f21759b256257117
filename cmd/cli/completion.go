package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"memobench/benchmarks/config"
	"memobench/datasets"
	"memobench/models"
)

// shells has the script of each supported shell.
var shells = map[string]func([]completed) string{"bash": bashCompletion, "fish": fishCompletion, "zsh": zshCompletion}

var shellNames = []string{"bash", "fish", "zsh"}

// completed is a command, and the words that may follow it.
type completed struct {
	line  string // "data gen"; empty for the program
	words []string
}

// completion prints a script that completes commands, flags and names.
func (p *program) completion(args []string) error {
	f := p.flags("completion SHELL",
		"Print a script with which a shell (bash, fish or zsh) completes commands, flags and the names of models, tasks and presets.",
		[2]string{"completion bash > ~/.local/share/bash-completion/completions/memobench", "for bash"},
		[2]string{"completion fish > ~/.config/fish/completions/memobench.fish", "for fish"},
		[2]string{"completion zsh > ~/.memobench.zsh", "for zsh; source it in ~/.zshrc, after compinit"})
	if err := f.parse(args, "a shell"); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return usagef("completion: one shell is needed: %s", strings.Join(shellNames, ", "))
	}
	script, ok := shells[f.Arg(0)]
	if !ok {
		return unknown("shell", f.Arg(0), shellNames)
	}
	_, err := fmt.Fprint(p.stdout, script(completions()))
	return err
}

// completions lists every command with its subcommands and flags; the program is last.
func completions() []completed {
	below := map[string][]subcommand{"data": dataCommands(), "sweep": sweepCommands()}
	var list []completed
	add := func(line string, v subcommand, words ...string) {
		note := func(f *flagSet) {
			f.VisitAll(func(flag *pflag.Flag) { words = append(words, "--"+flag.Name) })
		}
		v.call(&program{described: note, getenv: os.Getenv}, []string{"--help"})
		list = append(list, completed{line, append(words, "--help")})
	}
	top := []string{"help", "--version", "--help"}
	for _, v := range commands() {
		top = append(top, v.name)
		var words []string
		for _, b := range below[v.name] {
			words = append(words, b.name)
			add(v.name+" "+b.name, b)
		}
		if v.name == "completion" {
			words = shellNames
		}
		add(v.name, v, words...)
	}
	return append(list, completed{"", top})
}

// flagValues lists the names that are values of flags.
func flagValues() []completed {
	return []completed{
		{"--model", slices.Concat(models.Names(), models.VariantNames())},
		{"--task", datasets.Names()},
		{"--preset", config.PresetNames()},
	}
}

// cases returns the branches of a shell's case statement over command lines.
func cases(list []completed, form string) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, form, c.line, strings.Join(c.words, " "))
	}
	return b.String()
}

func bashCompletion(list []completed) string {
	return `_memobench() {
  local words
  case "${COMP_WORDS[COMP_CWORD-1]}" in
` + cases(flagValues(), "  %s) words='%s' ;;\n") + `  *) case "${COMP_WORDS[*]:1:COMP_CWORD-1} " in
` + cases(list, "    '%s '*) words='%s' ;;\n") + `    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _memobench memobench
`
}

func zshCompletion(list []completed) string {
	return `_memobench() {
  local -a list
  case "${words[CURRENT-1]}" in
` + cases(flagValues(), "  %s) list=(%s) ;;\n") + `  *) case "${words[2,CURRENT-1]} " in
` + cases(list, "    '%s '*) list=(%s) ;;\n") + `    esac ;;
  esac
  compadd -- $list || _files
}
compdef _memobench memobench
`
}

func fishCompletion(list []completed) string {
	var b strings.Builder
	for _, c := range list {
		condition := "__fish_use_subcommand"
		if c.line != "" {
			condition = "__fish_seen_subcommand_from " + strings.ReplaceAll(c.line, " ", "; and __fish_seen_subcommand_from ")
		}
		var words []string
		for _, w := range c.words {
			if flag, ok := strings.CutPrefix(w, "--"); ok {
				fmt.Fprintf(&b, "complete -c memobench -n '%s' -l %s\n", condition, flag)
			} else {
				words = append(words, w)
			}
		}
		if words != nil {
			fmt.Fprintf(&b, "complete -c memobench -f -n '%s' -a '%s'\n", condition, strings.Join(words, " "))
		}
	}
	for _, c := range flagValues() {
		fmt.Fprintf(&b, "complete -c memobench -x -l %s -a '%s'\n", strings.TrimPrefix(c.line, "--"), strings.Join(c.words, " "))
	}
	return b.String()
}
