// A file for each kind that runs later or sets what agents may do: the sandbox, the rules and what is put aside go by the same list.
export const protectedNames = [
  ...".git/hooks/pre-commit .git/config .git/info/attributes .git/modules/a/hooks/post-checkout".split(" "),
  ...".git/rebase-merge/git-rebase-todo .git/worktrees/w/rebase-merge/git-rebase-todo .git/rebase-apply/git-rebase-todo".split(" "),
  ...".tool/settings.json .mcp.json .husky/pre-commit lefthook.yml .lefthook.yaml lefthook-local.yml".split(" "),
  ...".vscode/tasks.json .zed/tasks.json my.code-workspace .idea/workspace.xml .devcontainer/devcontainer.json .envrc".split(" "),
  ...".cargo/config.toml mise.toml .mise.toml .mvn/jvm.config .exrc .bashrc .zshenv .profile .npmrc .gitmodules".split(" "),
  ...".claude/settings.json .codex/config.toml .cursor/rules/a.mdc .gemini/settings.json .roo/mcp.json .kiro/hooks/a .continue/config.yaml".split(
    " ",
  ),
  ...".windsurf/rules .clinerules .clinerules/a.md .opencode/agent/a.md opencode.json opencode.jsonc .aider.conf.yml .cursorrules".split(
    " ",
  ),
  ...".github/copilot-instructions.md CLAUDE.md GEMINI.md AGENTS.md".split(" "),
];
