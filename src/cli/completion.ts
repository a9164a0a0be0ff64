// `tool completion`: prints a short shell script that runs the hidden command `complete` at each TAB.
import { Argument, Command } from "commander";
import type { World } from "../app/world.ts";

export function completionCommand(world: World): Command {
  return new Command("completion")
    .description("Print a completion script for your shell: commands, options, teams, members, tasks and batches.")
    .addArgument(new Argument("<shell>").choices(Object.keys(scripts)))
    .addHelpText(
      "after",
      `
Examples:
  eval "$(tool completion bash)"        in ~/.bashrc
  eval "$(tool completion zsh)"         in ~/.zshrc, after compinit
  tool completion fish | source         in ~/.config/fish/config.fish`,
    )
    .action((shell: keyof typeof scripts) => world.stdout.write(scripts[shell]));
}

/** Each script runs the program by the name that was typed. If there is no candidate, the shell offers files. */
const scripts = {
  bash: `# bash completion of tool
_tool() {
  local line tab=$'\t' program=\${COMP_WORDS[0]/#~/$HOME}
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$tab*}")
  done < <("$program" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _tool tool
`,
  zsh: `#compdef tool
# zsh completion of tool
_tool() {
  local line tab=$'\t'
  local -a lines candidates
  lines=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    candidates+=("\${\${line%%$tab*}//:/\\:}:\${line#*$tab}")
  done
  if (( \${#candidates} )); then _describe tool candidates; else _files; fi
}
if [[ "\${funcstack[1]}" = _tool ]]; then _tool "$@"; else compdef _tool tool; fi
`,
  fish: `# fish completion of tool
function __tool_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c tool -f -a '(__tool_complete)'
`,
};
