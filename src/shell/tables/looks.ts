// Programs that only look, one use a line, with exactly the options with which they do: every word of such a command that names a file is read,
// and nothing else happens; no search follows links. A few at the end only change the files that they name, as Write would. There is no line for a use that runs code (cargo --version does, where the tree names a
// toolchain; go gets one where go.mod does), needs the network, follows settings of the tree (.npmrc makes npm ls connect and write), talks to a daemon or prints the environment; such a command is asked about where no sandbox decides. Source: the manual page of each.
import type { OptionLine } from "../words/options.ts";

/** The operands are files, unless said otherwise. Programs share a line only if each option that it lists takes a value in all of them, or is an error. */
export type LookRow = [command: string, options: OptionLine, more?: LookKind];

export type LookKind = {
  /** No operand is a file. */
  text?: true;
  /** The first operand is no file, unless one of these options gives what it would say. */
  pattern?: string[];
  /** The only first operand that is known to do no more than look. */
  first?: RegExp;
  /** It lists names and opens no file. */
  names?: true;
  /** It takes in what is below its operands: always, also through links, or with one of these options. */
  below?: true | "through links" | string[];
  /** Its operands are changed, or the last one: a file, or a folder that gets the others; or git's index. */
  edits?: "all" | "last" | "index";
  /** Options that do more. */
  never?: RegExp;
  /** Operands are such words. */
  operands?: RegExp;
  /** How many operands there are. */
  least?: number;
  most?: number;
  /** Its options end at the first operand. */
  leading?: true;
  /** Not the program alone. */
  some?: true;
};

const none = { most: 0 };
const sought = ["-e", "--regexp", "-f", "--file"];
const text: LookKind = { text: true };
const names: LookKind = { names: true };
/** These programs take further words from the file behind an `@`, wherever it stands. */
const responses: LookKind = { never: /^@/ };
const edits: LookKind = { edits: "all", least: 1 };
/** A bracket of a regular expression in sed, in which a delimiter is a plain character. It is left out where what it holds is not plain. */
const bracket = String.raw`\[\^?(?![\]^])(?:\[[:.=]\w+[:.=]\]|\\[^\]\n]|[^\]\n\\[])*\]`;
const address = String.raw`(?:\d+|\$|\/(?:[^/\\\n[]|\\.|${bracket})+\/)`;
const replacement = String.raw`s([/|#,@:])(?:(?!\1)[^\\\n[]|\\.|${bracket})*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*(?:; ?|$)`;
/** Scripts of sed that print or delete lines by number or pattern, those with replacements, and those that insert one line. */
const sed = new RegExp(String.raw`^(?:(?:${address}(?:,${address})?[pdq=];? ?)+|(?:${replacement})+|(?:\d+|\$)[ia]\\?[ \t][^\\\n]*)$`);
/** Programs of awk that start nothing and write and read no other file: before the first brace, `>` compares and `|` is no pipe. */
const awk = /^(?!.*(?:@|getline|system|ENVIRON|PROCINFO|SYMTAB|ARG[VC]))[^{]*(?:\{[^>|]*)?$/s;
/** Queries of jq and yq that read nothing but their operands. */
const query = /^(?!.*(?:env|\$ENV|\$__|\bimport\b|\binclude\b|\bmodulemeta\b|\bget_search_list\b|\binput_filename\b|load|eval|system))/s;
/** Also the name of a file without a query, and no other name of a subcommand. */
const yq = new RegExp(`^(?!(?:e|ea|completion|help|shell-completion)$)${query.source.slice(1)}`, "s");
/** Fields of git's formats by which it starts gpg or prints contents without their path. */
export const gitNever = /%[-+ ]?G|\(\*?raw|(?:\(\*?|^(?:--so\w*=)?[-*]*)signature/;

const grep =
  "-A: -B: -C: -m: -e: -f@ --regexp= --file@ --include= --exclude= --exclude-dir= --exclude-from@ --color? --colour? --max-count= --context= --after-context= --before-context= --label= --binary-files= -r --recursive -n --line-number -i --ignore-case -v --invert-match -c --count -l -L --files-with-matches --files-without-match -o --only-matching -w --word-regexp -x -h -H --no-filename --with-filename -E -F -P -G --extended-regexp --fixed-strings --perl-regexp -s -q --quiet --silent -a --text -I -z -Z --null -U -b -T -N --no-messages";
export const rgOptions =
  "-e: --regexp= -f@ --file@ -A: -B: -C: --after-context= --before-context= --context= -m: --max-count= -g: --glob= --iglob= -t: --type= -T: --type-not= --type-add= -j: --threads= -M: --max-columns= -d: --max-depth= -E: --encoding= -r: --replace= --sort= --sortr= --color= --colors= --ignore-file@ --max-filesize= -n -N -i -S -s -v -w -x -c -l -o -q -u -uu -uuu -U -P -F -H -I -a -p -0 --line-number --no-line-number --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count --count-matches --files --files-with-matches --files-without-match --only-matching --quiet --unrestricted --hidden --no-ignore --no-ignore-vcs --multiline --multiline-dotall --pcre2 --fixed-strings --with-filename --no-filename --no-heading --heading --text --pretty --json --vimgrep --trim --stats --null --column --no-messages --type-list --version";
const find =
  "-P -name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -regextype: -type: -xtype: -maxdepth: -mindepth: -mtime: -mmin: -ctime: -cmin: -atime: -amin: -size: -perm: -user: -group: -links: -newer@ -samefile@ -newermt: -empty -readable -writable -executable -not -o -or -a -and -prune -print -print0 -printf: -ls -depth -xdev -mount -true -false -quit -daystart -nouser -nogroup";
const fd =
  "-e: -t: -E: -d: -S: -c: --extension= --type= --exclude= --max-depth= --min-depth= --size= --color= --changed-within= --changed-before= -H -I -u -a -g -i -s -p -F -0 -1 -q -l --hidden --no-ignore --unrestricted --absolute-path --glob --ignore-case --case-sensitive --full-path --fixed-strings --print0 --quiet";
const sort =
  "-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z -k: -t: --key= --field-separator= --reverse --numeric-sort --human-numeric-sort --version-sort --general-numeric-sort --ignore-case --unique --stable --check --zero-terminated";
const diff =
  "-u -c -y -q -r -s -N -a -b -w -B -i -E -Z -p -U: -C: -W: -x: -I: -X@ --unified? --context? --brief --recursive --new-file --exclude= --ignore-all-space --ignore-space-change --ignore-blank-lines --side-by-side --suppress-common-lines --color? --label= -L: --strip-trailing-cr";
const tree =
  "-L: -P: -I: -a -d -f -i -s -h -D -t -r -p -u -g -A -C -n -F -J -Q --noreport --dirsfirst --gitignore --prune --du --charset= --sort= --filelimit=";
const jq =
  "-r -c -s -e -S -n -R -j -a -C -M --raw-output --compact-output --slurp --exit-status --sort-keys --null-input --raw-input --tab --indent:";

/** What git shows of commits and contents: no option is here by which it shows what attributes mark as binary. */
const shown =
  "-N -p -u -U: -s -m -c -w -b -z -R -r -t -W -q -n: -S: -G: -L: -l: -I: -M? -C? -B? --patch --no-patch --unified? --stat? --numstat --shortstat --dirstat? --summary --compact-summary --patch-with-stat --raw --name-only --name-status --cc --diff-merges? --color? --no-color --color-words? --word-diff? --word-diff-regex: --color-moved? --minimal --patience --histogram --diff-algorithm: --find-renames? --find-copies? --find-copies-harder --no-renames --diff-filter: --pickaxe-all --pickaxe-regex --relative? --no-relative --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --function-context --exit-code --quiet --check --full-index --abbrev? --no-prefix --no-ext-diff --no-textconv --cached --staged --merge-base --root --no-commit-id --ignore-submodules? --oneline --format? --pretty? --date: --abbrev-commit --no-abbrev-commit --decorate? --no-decorate --no-notes --creation-factor: --include-untracked --only-untracked --inter-hunk-context? --src-prefix? --dst-prefix? --ws-error-highlight? --ours --base --theirs";
const walked =
  "-i -E -F -P -g --all --branches? --tags? --remotes? --not --since: --until: --after: --before: --author: --committer: --grep: --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --max-count: --skip: --merges --no-merges --first-parent --reverse --topo-order --date-order --author-date-order --graph --decorate-refs: --decorate-refs-exclude: --relative-date --parents --children --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick --boundary --simplify-by-decoration --full-history --ancestry-path? --walk-reflogs --source --follow --no-walk? --full-diff --use-mailmap --no-mailmap --count --objects --disk-usage --show-pulls --remove-empty --min-parents? --max-parents? --clear-decorations";
const told =
  "-N -a -b -c -d -e -f -H -i -k -l -m -n -o -p -q -r -s -t -v -w -z --abbrev? --abbrev-ref? --absolute-git-dir --ahead-behind --all --always --batch-check? --branch --branches? --cached --candidates: --column? --contains? --count: --current --date: --deduplicate --deleted --dereference --directory --dirty? --eol --error-unmatch --exact-match --exclude: --exclude-standard --first-parent --fork-point --format: --full-name --full-tree --git-common-dir --git-dir --git-path --hash? --head --heads --human-readable --ignore-case --ignore-rev: --ignored? --independent --find-renames? --is-ancestor --is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --killed --line-porcelain --list --long --match: --merged? --modified --name-only --name-status --no-ahead-behind --no-column --no-contains? --no-empty-directory --no-index --no-merged? --no-renames --no-revs --non-matching --object-only --octopus --others --points-at: --porcelain? --quiet --refs: --remotes? --renames --revs-only --root --sha1-name --short? --show-cdup --show-email --show-name --show-number --show-prefix --show-stash --show-superproject-working-tree --show-toplevel --since: --sort: --stage --symbolic --symbolic-full-name --tags? --unmerged --untracked-files? --verbose --verify";
export const grepOptions =
  "-e: -f@ -n -i -v -w -l -L -c -h -H -o -q -E -F -P -G -A: -B: -C: -m: -I -p -W -z -r -N --line-number --column --ignore-case --invert-match --word-regexp --files-with-matches --name-only --files-without-match --count --only-matching --quiet --extended-regexp --fixed-strings --perl-regexp --basic-regexp --after-context: --before-context: --context: --max-depth: --max-count: --heading --break --show-function --function-context --cached --color? --no-color --and --or --not --all-match --full-name --recursive --threads: --null";

const scopes = "--global --local --system";
const placing = "-f -n -i -u -v -T --force --no-clobber --update --verbose";

export const lookRows: LookRow[] = [
  ["echo,true,false,:,test,[,pwd,seq,sleep,basename,dirname,nproc,uname,whoami,id,groups,which,type,uptime,free,expr,printf,tr", "*", text],
  ["break,continue,exit,return,shift,wait,tty,cal,factor,cd,pushd,popd", "*", text],
  ["command -v,-V", "", text],
  ["date", "-d: --date= -I? --iso-8601? -R --rfc-email --rfc-3339= -r@ --reference@ -u --utc --universal -j -v: -n", { operands: /^\+/ }],
  ["hostname,lscpu", "-s -I", none],
  ["mktemp", "-d -q --directory -t:", none],
  ["kill", "-s: -TERM -KILL -INT -HUP -9 -15 -2 -l", { text: true, operands: /^%[\d%+-]*$/ }],
  ["set", "-e -u -x -o:", { text: true, operands: /^\+[eux]$/, some: true }],
  ["export", "", { text: true, least: 1 }],
  ["read", "-r", text],
  ["jobs", "-l -p -r -s", text],
  ["cat,tac,rev,tsort,sum,readlink,realpath", "*"],
  ["zcat,bzcat,xzcat", "", { operands: /\.(?:t?gz|Z|t?bz2|t?xz|lzma)$/ }], // without an ending they read another file
  ["md5sum,sha1sum,sha224sum,sha256sum,sha384sum,sha512sum,b2sum,cksum,shasum", "-a: -b -t -l: --binary --text --tag"],
  ["head,tail", "-n: -c: --lines= --bytes= -s: --pid= --sleep-interval= *"],
  ["cut,paste", "-b: -c: -d: -f: --delimiter= --delimiters= --fields= --bytes= --characters= --output-delimiter= *"],
  ["wc", "-l -c -m -w -L --lines --bytes --chars --words --max-line-length"],
  ["nl", "-b: -d: -f: -h: -i: -l: -n: -s: -v: -w: *"],
  ["fold,fmt", "-w: -g: -p: --width= --goal= --prefix= *"],
  ["expand,unexpand", "-t: --tabs= *"],
  ["column", "-c: -s: -t -o: -N: -H: -R: -T: -W: -O: --table --separator= --output-separator="],
  ["join,comm", "-a: -e: -j: -o: -t: -v: -N --output-delimiter= *"],
  ["od", "-A: -j: -N -t: -c -x -b -d -v -w? -a -o --address-radix= --skip-bytes= --read-bytes= --format="],
  ["xxd", "-c: -g: -l: -o: -s: -b -p -u -i -e -E", { most: 1, leading: true, never: /^-[A-Za-z]{2}/ }], // it reads no options that are written as one word
  ["hexdump,hd", "-C -c -b -d -o -x -v -n: -s:"],
  ["nm", "-g -u -C -a -n -A -t: --defined-only --undefined-only --demangle", responses],
  ["size", "-A -B -d -o -t -x --totals", responses],
  ["strings", "-n: -t: -e: -a --bytes= --radix= -N", responses],
  ["file", "-b -i -L -h -k -s --brief --mime --mime-type --mime-encoding --dereference"],
  ["base64,base32", "-d -D --decode -w: --wrap= -i"],
  ["sort", sort],
  ["uniq", "-c -d -D -i -u -z -f: -s: -w: --count --repeated --unique --ignore-case", { most: 1, leading: true }],
  ["diff", diff, { below: "through links" }],
  ["cmp", "-s -l -b -n: -i: --silent --quiet --verbose --bytes="],
  ["ls,dir,vdir", "-1 -I: -w: -T: --ignore= --hide= *", names],
  ["tree", tree, { names: true, below: true, never: /^-\w*[LPI][A-Za-z]/ }], // a value is never attached
  ["du", "-d: -B: -a -h -s -c -k -m -b -x -S --max-depth= --exclude= --apparent-size --human-readable --summarize --total", names],
  ["df", "-t: -x: -B: -h -H -T -i -k -m -P -a -l --total --type= --exclude-type= --output?", names],
  ["stat", "-c: -f -t -L --format= --printf= --terse --dereference", names],
  ["find,gfind", find, { names: true, below: true }],
  ["fd,fdfind", fd, { names: true, below: true, pattern: [] }],
  ["grep,egrep,fgrep", grep, { pattern: sought, below: ["-r", "-R", "--recursive", "--dereference-recursive"] }],
  ["rg", rgOptions, { pattern: sought, below: true }],
  ["rg --files,--type-list", rgOptions, { ...names, never: /^-[A-Za-z]*[cl]|^--(?:count|files-with|json)/ }], // else it may search
  ["sed", "-n -e: -E -r -s -u -z --quiet --silent --regexp-extended", { pattern: ["-e"], first: sed }],
  ["sed -i", "-e: -E -r -s -z --regexp-extended", { pattern: ["-e"], first: sed, edits: "all" }],
  ["awk,gawk,mawk,nawk", "-F:", { pattern: [], first: awk, leading: true }],
  ["jq", jq, { pattern: [], first: query }],
  ["yq", "-r -P -M -C -e -o: -p: --prettyPrint --raw-output --output-format=", { first: yq }],
  ["tar tf,-tf,tzf,-tzf,tvf,-tvf,tzvf,-tzvf,tjf,tJf", "", { operands: /^(?!-)[\w@+./-]+$/ }],
  ["unzip -l,-Z,-v", "-q", { operands: /^[\w@+./-]+\.(?:zip|jar|whl)$/ }],
  ["git log,whatchanged,rev-list", `${shown} ${walked}`],
  [
    "git shortlog",
    "-s -n -e -c -N --summary --numbered --email --group= --format= --all --no-merges --merges --since= --until= --after= --before= --author=",
  ],
  ["git show,diff,diff-tree,diff-index,diff-files,range-diff", shown],
  ["git stash list,show", shown],
  ["git status", `-u? ${told}`],
  ["git blame,annotate", `-L: -M? -C? ${told}`],
  ["git ls-files", `-x: -u ${told}`],
  ["git describe,name-rev,rev-parse,ls-tree,cat-file,merge-base,for-each-ref,show-ref,show-branch", told],
  ["git count-objects,check-attr,cherry,version", told],
  ["git check-ignore", told, names],
  ["git grep", grepOptions, { below: true }],
  [
    "git add",
    "-A -u -v -n -N -f --all --update --verbose --dry-run --intent-to-add --force --no-all",
    { edits: "index", below: ["-f", "--force"] },
  ],
  ["git reflog,var", "-n? -N --date? --format?", { most: 1, operands: /^(?:show|HEAD|GIT_[A-Z_]+)$/ }],
  ["git branch,tag", "-a -r -v -vv -l -n? --list --all --show-current --sort? --format? --merged? --no-merged? --contains?", none],
  ["git branch,tag --merged,--no-merged,--contains", "-a -r -v -vv", text], // which list
  ["git branch,tag -l,--list", "-a -r -v -vv -n? --all --sort? --format?", text],
  ["git remote get-url", "--all --push", text],
  ["git worktree list", "--porcelain -v -z", none],
  ["git remote show", "", none],
  ["git remote,submodule", "-v --verbose", none],
  ["git submodule status", "--recursive --cached", none],
  ["git config --get,--get-all,--get-regexp,--list,-l,get,list", `${scopes} --show-origin --show-scope --name-only -z --all`, text],
  ["git config", scopes, { text: true, least: 1, most: 1, leading: true, operands: /^[\w-]+\.[\w.-]+$/ }],
  ["git clean -n,-nd,-nx,-ndx,-nxd,--dry-run", "-d -x -X"],
  ["pip,pip3 list", "-l --local --user -e --editable --format= --not-required --exclude=", text],
  ["pip,pip3 show,check", "-f --files", text], // --local would be short for --local-log here
  ["gofmt -l", "-e -s", { below: true }],
  ["bash,sh,dash -n", "", { operands: /^[\w./-]+$/, least: 1 }],
  ["node --check,-c", "", { operands: /^[\w./-]+$/ }],
  ["node,php,perl,make,gmake,gcc,g++,cc,c++,clang,docker --version,-v", "", none],
  ["python,python2,python3,pip,pip3,protoc,buf,shellcheck,strip,hadolint --version,-V", "", none],
  ["git,uv,ruff,java,javac,ruby,gem,deno,bun,cmake,ninja,gh,jq,rg,fd,bash,zsh,curl,wget,tar,tmux,sqlite3,just --version", "", none],
  ["mkdir", "-p -v -m: --parents --verbose --mode=", edits],
  ["touch,tee", "-a -c -i -m --append --no-create", edits],
  ["cp", `-p ${placing}`, { edits: "last", least: 2 }], // with -r, it would bring files that run later to where they do
  ["mv", placing, { ...edits, below: "through links" }],
  ["rm,unlink", "-f -r -R -d -v --force --recursive --dir --verbose", { ...edits, below: true }], // of files that are kept elsewhere
  ["rmdir", "-p -v --parents", edits],
  ["chmod", "-v -c", { edits: "all", pattern: [], first: /^(?:[0-7]{3}|[ugoa]*[-+][rwx]+)$/, least: 2 }],
];
