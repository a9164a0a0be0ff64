// One file of each kind that runs later or sets what agents may do. The tests of the sandbox, of the rules and of files moved after a
// command share this list.
export const protectedNames = [
  ...".git/hooks/pre-commit HEAD .git/config .git/info/attributes .git/modules/a/hooks/post-checkout".split(" "),
  ...".git/objects/info/alternates .git/objects/info/http-alternates .git/modules/objects/info/attributes".split(" "),
  ...".git/rebase-merge/git-rebase-todo .git/worktrees/w/rebase-merge/git-rebase-todo .git/rebase-apply/git-rebase-todo .git/rebase-merge/strategy".split(
    " ",
  ),
  ...".tool/settings.json .mcp.json .husky/pre-commit .githooks/pre-commit tools/git-hooks/pre-push lefthook.yml .lefthook.yaml lefthook-local.yml".split(
    " ",
  ),
  ...".vscode/tasks.json .zed/tasks.json my.code-workspace .idea/workspace.xml .devcontainer/devcontainer.json .envrc".split(" "),
  ...".cargo/config.toml mise.toml .mise.toml .mvn/jvm.config .exrc .bashrc .zshenv .profile .npmrc .gitmodules".split(" "),
  ...".claude/settings.json .codex/config.toml .cursor/rules/a.mdc .gemini/settings.json .roo/mcp.json .kiro/hooks/a .continue/config.yaml".split(
    " ",
  ),
  ...".windsurf/rules .clinerules .clinerules/a.md .opencode/agent/a.md opencode.json opencode.jsonc .aider.conf.yml .cursorrules".split(
    " ",
  ),
  ...".github/copilot-instructions.md CLAUDE.md GEMINI.md AGENTS.md AGENTS.override.md CLAUDE.local.md QWEN.md .rules".split(" "),
  ...".github/hooks/a.json .github/skills/a/SKILL.md .git/glab-cli/config.yml hie.yaml .lsp/config.edn .exrc.lua".split(" "),
  ...".github/instructions/a.md .github/prompts/a.md .amazonq/rules/a.md .junie/guidelines.md .openhands/setup.sh .kilocode/mcp.json".split(
    " ",
  ),
  ...".roomodes .windsurfrules .goosehints crush.json .agents/skills/a.md .amp/settings.json .copilot/config.json .qwen/settings.json".split(
    " ",
  ),
  ...".devcontainer.json .gitpod.yml .replit .idx/dev.nix .fleet/run.json .theia/tasks.json .helix/languages.toml my.sublime-project".split(
    " ",
  ),
  ...".vimrc .vimrc.local .local.vimrc .nvimrc .nvim.lua .lazy.lua .vim/coc-settings.json .dir-locals.el .ycm_extra_conf.py rust-analyzer.toml .envrc.local .rvmrc".split(
    " ",
  ),
  ...".autoenv.zsh .shadowenv.d/a.lisp mise.local.toml .config/mise/config.toml .mise/config.toml .huskyrc.js .overcommit.yml prek.toml captainhook.json .rusty-hook.toml hk.pkl .miserc.toml".split(
    " ",
  ),
  ...".perldb .psysh.php .RData .bsp/sbt.json .lefthook/pre-commit/x.sh .lefthook-local/a .cargo-husky/hooks/pre-commit .externalToolBuilders/a.launch .buckconfig.local .git/lazygit.yml .git/gbp.conf .gdbinit .lldbinit .pdbrc .irbrc .pryrc .Rprofile .iex.exs .ghci .ocamlinit .user.ini".split(
    " ",
  ),
  ...".pnpmfile.mjs bunfig.toml .lfsconfig .bazelrc .bazelversion tools/bazel _darcs/prefs/defaults .jvmopts pip.conf NuGet.Config .hg/hgrc .hg/requires .hg/sharedpath .git/remotes/up .git/branches/up .jj/repo/config.toml .prototools rust-toolchain.toml mise/config.toml".split(
    " ",
  ),
];
