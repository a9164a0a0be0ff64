// What programs of languages and of the system are asked when they only look. One use a line, with no option but those that it names; what
// runs code of the tree, wants the network, reaches a daemon or shows the environment has no line. From the manual page of each.
import type { OptionLine } from "../words/options.ts";

/**
 * `anywhere`: what it reads are the files that it names, the tree's own, and what is installed. `sandbox`: it follows settings of the tree
 * that name programs, so it needs no rule only where the sandbox confines it.
 */
export type LookRow = [command: string, where: "anywhere" | "sandbox", options: OptionLine, operands: RegExp];

const none = /^(?!)/;
/** Names of packages and targets, and places in the tree. */
const names = /^(?![-/~])(?!.*\.\.(?:\/|$))[\w@+./-]+$/;
const packages = /^(?![-/~])(?!.*\.\.\/)[\w@+./-]+$/;
const files = /^/;

export const lookRows: LookRow[] = [
  ["go list", "anywhere", "-f: -json? -m -deps -test -e -find", packages],
  ["go doc", "anywhere", "-all -c -cmd -short -src -u", packages],
  ["go help", "anywhere", "", names],
  ["go mod graph", "anywhere", "", none],
  ["go mod why", "anywhere", "-m -vendor", packages],
  ["go tool cover", "anywhere", "-func:", none],
  ["go tool nm", "anywhere", "-n -size -sort: -type", files],
  ["npm ls,list,ll,la,why,explain", "anywhere", "-a --all --depth: --json -l --long -p --parseable --omit= --include= --prod --dev", names],
  ["npm root,prefix", "anywhere", "", none],
  ["pip,pip3 list", "anywhere", "-l --local --user -e --editable --format= --not-required --exclude= --exclude-editable", none],
  ["pip,pip3 show", "anywhere", "-f --files", names],
  ["pip,pip3 freeze", "anywhere", "-l --local --user --all --exclude= --exclude-editable", none],
  ["pip,pip3 check", "anywhere", "", none],
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
  ["tty,groups,jobs", "anywhere", "-s -l -p -r", none],
  ["hostname", "anywhere", "-s", none],
  ["ss", "anywhere", "-t -u -l -n -p -a -4 -6 -x -s --tcp --udp --listening --numeric", none],
  ["pnpm --version", "sandbox", "", none],
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
  ["cargo locate-project", "sandbox", "--workspace --message-format=", none],
  ["cargo pkgid", "sandbox", "-p: --package=", names],
  ["rustup show,which", "sandbox", "-v", names],
  ["rustup target,component list", "sandbox", "-v --installed --toolchain=", none],
  ["netstat", "sandbox", "-t -u -l -n -p -a -4 -6 -x -s", none],
];
