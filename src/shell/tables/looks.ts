// Read-only uses of language and system programs, one a line, with exactly the options that are allowed. There is no line for a use that
// runs code of the tree, needs the network, talks to a daemon or prints the environment. Source: the manual page of each.
import type { OptionLine } from "../words/options.ts";

/**
 * `anywhere`: it reads only the files it names, the tree, and what is installed. `sandbox`: settings of the tree can make it start
 * programs, so it needs no rule only inside the sandbox.
 */
export type LookRow = [command: string, where: "anywhere" | "sandbox", options: OptionLine, operands: RegExp, mostOperands?: number];

const none = /^(?!)/;
/** Names of packages and targets, and paths in the tree. */
export const names = /^(?![-+/~])(?!.*\.\.(?:\/|$))[\w@+./-]+$/;
const packages = /^(?![-/~])(?!.*\.\.\/)[\w@+./-]+$/;
const files = /^/;
/** Search patterns and files. Only single lines, because zgrep is a script that names with line breaks have exploited. */
const searched = /^(?![-/~])(?!.*\.\.(?:\/|$))[^\n\r]*$/;
/** A jq path and the file: no function calls, which may read the environment or other files. */
const members = /^(?!.*\benv\b)(?![-/~])(?!.*\.\.\/)[\w@+./[\]"| -]+$/;
/** The name of a database, then one statement or command of sqlite3 that reads it. Functions that reach files are hazards of their own. */
const statements =
  /^(?:(?![-/~.])(?!.*\.\.\/)[\w@+./-]+|\.(?:tables|schema|indexes|indices)(?: [\w%]+)?|(?:select|explain query plan select)\s[^;\0]*;?\s*|pragma (?:table_info|table_xinfo|index_list|index_info|foreign_key_list)\(\w+\);?|pragma (?:integrity_check|quick_check|foreign_key_check|user_version|table_list|database_list);?)$/i;

export const lookRows: LookRow[] = [
  ["go list", "anywhere", "-f: -json? -m -deps -test -e -find", packages],
  ["go doc", "anywhere", "-all -c -cmd -short -src -u", packages],
  ["go help", "anywhere", "", names],
  ["go mod graph,verify", "anywhere", "", none],
  ["go version", "anywhere", "-m -v", names],
  ["gofmt -l", "anywhere", "-e -s", names],
  ["go mod why", "anywhere", "-m -vendor", packages],
  ["go tool cover", "anywhere", "-func:", none],
  ["go tool nm", "anywhere", "-n -size -sort: -type", files],
  ["npm ls,list,ll,la,why,explain", "anywhere", "-a --all --depth: --json -l --long -p --parseable --omit= --include= --prod --dev", names],
  ["npm root,prefix", "anywhere", "", none],
  ["npm run,run-script", "anywhere", "", none],
  ["npm pkg get", "anywhere", "--json", names],
  ["pip,pip3 list", "anywhere", "-l --local --user -e --editable --format= --not-required --exclude= --exclude-editable", none],
  ["pip,pip3 show", "anywhere", "-f --files", names],
  ["pip,pip3 freeze", "anywhere", "-l --local --user --all --exclude= --exclude-editable", none],
  ["pip,pip3 check", "anywhere", "", none],
  ["python,python3 -m pip --version", "sandbox", "", none],
  [
    "nm",
    "anywhere",
    "-A -a -B -C --demangle? -D --dynamic -g --extern-only -n -p -r -S -s -u --undefined-only --defined-only --size-sort -i -z -e",
    files,
  ],
  ["objdump", "anywhere", "-a -d -D -f -h -p -r -R -s -t -T -x -C --demangle? -j: --section= -M: --no-show-raw-insn --disassemble?", files],
  ["readelf", "anywhere", "-a -h -l -S -e -s -n -r -d -V -A -I -W --wide --file-header --sections --symbols --dynamic --relocs", files],
  ["size", "anywhere", "-A -B -d -o -t -x --format= --totals", files],
  ["free", "anywhere", "-b -k -m -g -h --human --mega --giga -t -w -l", none],
  ["uptime", "anywhere", "-p -s --pretty --since", none],
  ["lscpu", "anywhere", "", none],
  ["getconf", "anywhere", "", /^_?[A-Z][A-Z0-9_]+$/],
  ["lsof -i", "anywhere", "-P -n -t", /^(?:tcp|udp)?:\d+$/i],
  ["lsb_release", "anywhere", "-a -s -d -r -c -i", none],
  ["locale", "anywhere", "-a -m", none],
  ["ulimit", "anywhere", "-a -n -u -s -H -S", none],
  ["whereis", "anywhere", "-b -m -s", names],
  ["tput", "anywhere", "", /^(?:cols|lines|colors)$/],
  ["numfmt", "anywhere", "--to= --from= --suffix= --format= --field= --header? --padding= -d: --delimiter=", /^[\d.]+[A-Za-z]*$/],
  ["factor", "anywhere", "", /^\d+$/],
  ["bc", "anywhere", "-l -q", none],
  ["yq", "anywhere", "-r --raw-output -o: --output-format= -P --prettyPrint -M -C -I: --indent= -c -j", members],
  ["tar tf,tvf,tzf,tzvf,tjf,tJf,-tf,-tvf,-tzf,-tzvf,-ztf,-ztvf,-tjf,-tJf", "anywhere", "-v", names],
  ["unzip -l,-Z,-v,-p,-c,-t", "anywhere", "-1 -q", names],
  ["zcat,bzcat,xzcat", "anywhere", "", files],
  ["zgrep,zegrep,zfgrep", "anywhere", "-i -v -n -c -l -w -x -o -h -H -E -F -s -q -a -A: -B: -C: -m:", searched],
  ["gzip,gunzip -dc,-cd,-c,-l,-t,-tv,-lv", "anywhere", "", files],
  ["xz,bzip2,zstd -dc,-cd,-l,-t", "anywhere", "", files],
  ["iconv", "anywhere", "-f: --from-code= -t: --to-code= -c -s -l --list", files],
  ["dos2unix,unix2dos -ic,-i", "anywhere", "", files],
  ["xmllint --noout,--format", "anywhere", "--noout --format --recover --huge", names],
  ["tar cf,czf,cvf,czvf,-cf,-czf,-cvf,-czvf", "anywhere", "--exclude=", names],
  ["gzip", "anywhere", "-k -9 -v --keep --best", names],
  ["more,less", "anywhere", "-N -S -R -F -X -n -r", names],
  [
    "printenv PATH,HOME,SHELL,USER,LANG,TERM,TZ,PWD,TMPDIR,EDITOR,CI,NODE_ENV,VIRTUAL_ENV,GOPATH,GOROOT,GOFLAGS,CARGO_HOME,RUSTFLAGS,PYTHONPATH,JAVA_HOME",
    "anywhere",
    "",
    none,
  ],
  ["bash,sh,dash -n", "anywhere", "", names],
  ["node --check,-c", "anywhere", "", names],
  ["php -l", "anywhere", "", names],
  ["tokei", "anywhere", "-f --files -s: --sort= -t: --types= -e: --exclude= -o: --output= -C --compact", names],
  ["scc", "sandbox", "--by-file -s: --sort= -i: --include-ext= --exclude-dir= -w --wide --no-cocomo --no-complexity", names],
  [
    "openssl x509 -in",
    "anywhere",
    "-noout -text -subject -issuer -dates -enddate -startdate -fingerprint -serial -sha1 -sha256 -checkend: -purpose -inform:",
    names,
  ],
  ["openssl rand", "anywhere", "-hex -base64", /^\d+$/],
  ["uuidgen,cal", "anywhere", "", none],
  [
    "sqlite3",
    "anywhere",
    "-header -noheader -column -csv -json -line -list -box -table -markdown -readonly -batch -bail -separator: -nullvalue:",
    statements,
    2,
  ],
  ["just -l,--list,--summary", "anywhere", "--unsorted", none],
  ["tty,groups,jobs", "anywhere", "-s -l -p -r", none],
  ["hostname", "anywhere", "-s", none],
  ["ss", "anywhere", "-t -u -l -n -p -a -4 -6 -x -s --tcp --udp --listening --numeric", none],
  ["pnpm,yarn,npx -v", "sandbox", "", none],
  ["npx tsc,eslint,prettier,vitest,jest,mocha --version", "sandbox", "", none],
  ["cloc", "sandbox", "--by-file --include-lang= --exclude-dir= --exclude-lang= --json --csv --md --yaml --quiet", names],
  ["pnpm list,ls,why", "sandbox", "--depth: -r --recursive --prod -P --dev -D --json --long --parseable", names],
  ["yarn why,list", "sandbox", "--depth: --pattern: --json", names],
  ["uv tree", "sandbox", "--depth: -d: --frozen --locked --offline --no-dev --all-groups --package= --invert", none],
  ["uv python list", "sandbox", "--only-installed", none],
  ["uv lock --check", "sandbox", "--offline", none],
  ["poetry check,env", "sandbox", "--lock", /^(?:info|list)$/],
  ["poetry show", "sandbox", "-t --tree --no-dev --only= --without= --with= -T --top-level", names],
  ["python,python3 -m pip list,show,freeze,check", "sandbox", "-l --local --user -e --editable --format= --not-required -f --files", names],
  ["python,python3 -m py_compile,compileall", "sandbox", "-q -f", names],
  ["python,python3 -m json.tool", "sandbox", "--indent= --sort-keys --json-lines --compact --no-ensure-ascii", names, 1],
  ["make,gmake -n,--dry-run", "sandbox", "-s -k -B --no-print-directory", /^[A-Za-z][\w.-]*$/],
  ["gofmt -d", "sandbox", "-e -s", names],
  ["go env", "sandbox", "-json", /^C?GO_?[A-Z_]+$/],
  ["uv pip list,show,freeze,check,tree", "sandbox", "--format: --exclude-editable -e --editable --depth: -d: -q", names],
  [
    "cargo tree",
    "sandbox",
    "-p: --package= -i: --invert? --depth= -d --duplicates -e: --edges= -f: --format= --prefix= --workspace --all-features --no-default-features -F: --features= --target= --no-dedupe --locked --offline",
    names,
  ],
  [
    "cargo metadata",
    "sandbox",
    "--format-version= --no-deps --all-features --no-default-features --features= --filter-platform= --locked --offline",
    none,
  ],
  ["cargo clippy,fmt,nextest --version,-V", "sandbox", "", none],
  ["cargo fmt --check", "sandbox", "--all", none],
  [
    "rustc --print",
    "sandbox",
    "--target=",
    /^(?:sysroot|cfg|target-list|target-libdir|target-cpus|target-features|host-tuple|crate-name)$/,
  ],
  ["cargo read-manifest,verify-project", "sandbox", "", none],
  ["rustc --explain", "sandbox", "", /^E\d{4}$/],
  ["cargo locate-project", "sandbox", "--workspace --message-format=", none],
  ["cargo pkgid", "sandbox", "-p: --package=", names],
  ["rustup show,which", "sandbox", "-v", names],
  ["rustup toolchain list", "anywhere", "-v -q", none],
  ["rustup target,component list", "sandbox", "-v --installed --toolchain=", none],
  ["netstat", "sandbox", "-t -u -l -n -p -a -4 -6 -x -s", none],
];
