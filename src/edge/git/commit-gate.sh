# What each git hook of an agent's commands runs (core.hooksPath in their environment): before a reference gets a new commit, that is
# looked through for secrets, and then the repository's own hook of this name runs, as git would run it.
name=${0##*/}
here=${0%/*}

# The repository's own hooks: what its settings say without us, else the folder where git looks. gitconfig: the last one counts.
own_hook() {
  hooks=
  while IFS= read -r folder; do
    [ -e "$folder/of-tool" ] || hooks=$folder
  done <<PATHS
$(git config --type=path --get-all core.hooksPath)
PATHS
  if [ -z "$hooks" ]; then
    # git starts hooks at the top of the working tree, where the folder of all but linked trees is found without another process.
    if [ -z "$GIT_DIR$GIT_COMMON_DIR" ] && [ -f .git/HEAD ] && [ ! -e .git/commondir ]; then
      hooks=.git/hooks
    else
      hooks=$(git rev-parse --git-common-dir)/hooks
    fi
  fi
  own=$hooks/$name
  [ -f "$own" ] && [ -x "$own" ]
}

if [ "$name" != reference-transaction ]; then
  own_hook && exec "$own" "$@"
  exit 0
fi

# <old> <new> <reference>. What was fetched, put aside or only marks a place is no commit of the agent's.
updates=$(cat)
if [ "$1" = prepared ]; then
  moved= made=
  while read -r old new ref; do
    case $new in ref:* | *[!0-9a-f]* | "$old") continue ;; *[!0]*) ;; *) continue ;; esac
    case $ref in
      refs/heads/* | refs/tags/* | refs/notes/*) case $old in *[!0]*) moved=1 ;; *) made="$made $new" ;; esac ;;
      HEAD) made="$made $new" ;;
      refs/remotes/* | refs/stash | refs/bisect/* | refs/rewritten/* | refs/prefetch/*) ;;
      refs/*) made="$made $new" ;;
    esac
  done <<UPDATES
$updates
UPDATES
  # A branch that begins at a commit which is there already brings nothing: that is seen without starting the scanner.
  for new in $made; do
    [ -n "$moved" ] && break
    [ "$(git cat-file -t "$new" 2>&1)" = commit ] && [ -z "$(git rev-list --max-count=1 "$new" --not --all 2>&1)" ] || moved=1
  done
  [ -x "$TOOL_NODE" ] || TOOL_NODE=node
  if [ -n "$moved" ] && ! printf '%s\n' "$updates" | "$TOOL_NODE" "$here/../main.cjs" secrets look-through; then
    exit 1
  fi
fi
own_hook || exit 0
printf '%s\n' "$updates" | "$own" "$@"
