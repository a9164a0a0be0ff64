// Which arguments of known programs are files, and what is done to them. One program a line: its options, then its operands in order ("x"
// is no file, "r" is read, "w" is written, "b" both, "*" repeats), then options whose values are files. Source: the manual pages.

import { byEachName } from "./by-each-name.ts";
import { type FileEntry, from } from "./file-entry.ts";
import { transferEntries } from "./transfer-operands.ts";

const grepOptions =
  "-e: --regexp= -f: --file= -A: -B: -C: --after-context= --before-context= --context= -m: --max-count= -d: -D: --include= --exclude= --exclude-dir= --exclude-from= --color? --colour? --binary-files= --label= -N --directories= --devices=";
const rgOptions =
  "-e: --regexp= -f: --file= -A: -B: -C: --after-context= --before-context= --context= -m: --max-count= -g: --glob= --iglob= -t: --type= -T: --type-not= --type-add= -j: --threads= -M: --max-columns= -d: --max-depth= -E: --encoding= -r: --replace= --sort= --sortr= --color= --colors= --ignore-file= --pre= --pre-glob= --max-filesize= --engine= --path-separator= --context-separator= --field-match-separator=";
const lines = "-n: -c: --lines= --bytes= -q -v -z --quiet --silent --verbose --zero-terminated -N";

const entries: Record<string, FileEntry> = {
  "cat, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, sum, rev, tsort, readlink, zcat, bzcat, xzcat, zless": from("", "r*"),
  tac: from("-s: --separator=", "r*"),
  head: from(lines, "r*"),
  tail: from(`${lines} -s: --sleep-interval= --pid= --retry -f? --follow? -F`, "r*"),
  less: from("-p: -x: -y: -z: -b: -h: -j: -P: -o: -O: -k: -t: -T:", "r*", { values: { "-o": "w", "-O": "w", "-k": "r" } }),
  more: from("-n:", "r*"),
  nl: from("-b: -d: -f: -h: -i: -l: -n: -s: -v: -w:", "r*"),
  od: from("-A: -j: -N: -S: -t: -w? --address-radix= --skip-bytes= --read-bytes= --format=", "r*"),
  xxd: from("-c: -g: -l: -o: -s: -n: -R:", "r w"),
  "hexdump, hd": from("-e: -f: -n: -s:", "r*", { values: { "-f": "r" } }),
  strings: from("-n: -t: -e: --bytes= --radix= -T: -s:", "r*"),
  file: from("-e: -f: -F: -m: -P: --files-from= --magic-file=", "r*", {
    values: { "-f": "r", "-m": "r", "--files-from": "r", "--magic-file": "r" },
  }),
  wc: from("--files0-from=", "r*", { values: { "--files0-from": "r" } }),
  b2sum: from("-l:", "r*"),
  cksum: from("-a: -l:", "r*"),
  shasum: from("-a:", "r*"),
  nm: from("-f: -j: -t: -X: --format= --radix= --target= --demangle?", "r*"),
  objdump: from("-b: -E: -j: -m: -M: --section= --demangle? --disassemble? --target= --architecture=", "r*"),
  readelf: from("-p: -x: -R: --hex-dump= --string-dump=", "r*"),
  size: from("--format= --radix= --target=", "r*"),
  base64: from("-w: --wrap= -i: -o: -b:", "r*", { values: { "-o": "w" } }),
  "base32, basenc": from("-w: --wrap=", "r*"),
  sort: from(
    "-k: -t: -o: -S: -T: --key= --field-separator= --output= --parallel= --buffer-size= --temporary-directory= --compress-program= --sort= --random-source= --files0-from= --batch-size=",
    "r*",
    {
      values: { "-o": "w", "--output": "w", "--files0-from": "r", "--random-source": "r" },
    },
  ),
  uniq: from("-f: -s: -w: --skip-fields= --skip-chars= --check-chars= -N", "r w"),
  cut: from("-b: -c: -d: -f: --bytes= --characters= --delimiter= --fields= --output-delimiter=", "r*"),
  paste: from("-d: --delimiters=", "r*"),
  join: from("-a: -e: -j: -o: -t: -v: -1: -2:", "r*"),
  comm: from("--output-delimiter=", "r*"),
  fold: from("-w: --width=", "r*"),
  fmt: from("-w: -p: -g: --width=", "r*"),
  pr: from("-h: -l: -w: -W: -o: -N: -D:", "r*"),
  "expand, unexpand": from("-t: --tabs=", "r*"),
  tr: from("", "x*"),
  column: from("-c: -s: -t -o: -N: -H: -R: -T: -W: -O: -E: -d -J --separator= --output-separator=", "r*"),
  diff: from(
    "-U: -C: -x: -X: -I: -F: -W: -S: --unified? --context? --exclude= --exclude-from= --label= -L: --from-file= --to-file= --color? --width= --tabsize= --ignore-matching-lines= --horizon-lines=",
    "r*",
    {
      values: { "-X": "r", "--exclude-from": "r", "--from-file": "r", "--to-file": "r" },
      recursive: ["-r", "--recursive"],
    },
  ),
  colordiff: from("-U: -C: -x: -X: -I: --label=", "r*", { recursive: ["-r", "--recursive"] }),
  diff3: from("-L: --label=", "r*"),
  sdiff: from("-o: -w: -I: --output=", "r*", { values: { "-o": "w", "--output": "w" } }),
  cmp: from("-i: -n: --ignore-initial= --bytes=", "r r x*"),
  grep: from(grepOptions, "x r*", {
    values: { "-f": "r", "--file": "r", "--exclude-from": "r" },
    recursive: ["-r", "-R", "--recursive", "--dereference-recursive", "-d"],
  }),
  "egrep, fgrep": from(grepOptions, "x r*", {
    values: { "-f": "r", "--file": "r" },
    recursive: ["-r", "-R", "--recursive", "--dereference-recursive", "-d"],
  }),
  "zgrep, zegrep, zfgrep": from(grepOptions, "x r*", { values: { "-f": "r", "--file": "r" } }),
  rg: from(rgOptions, "x r*", { values: { "-f": "r", "--file": "r", "--ignore-file": "r" }, always: true }),
  ag: from("-A: -B: -C: -G: -m: -p: -W: --ignore= --ignore-dir= --depth= --file-search-regex=", "x r*", { always: true }),
  ack: from("-A: -B: -C: -g: -m: --ignore-dir= --ignore-file= --type=", "x r*", { always: true }),
  find: from("", "r*", { always: true }),
  "fd, fdfind": from(
    "-e: -t: -E: -d: -x: -X: -c: -j: -S: -C: --ignore-file= --extension= --type= --exclude= --max-depth= --min-depth= --base-directory= --search-path= --color= --changed-within= --changed-before= --size= --owner= --glob",
    "x r*",
    { always: true, values: { "-C": "r", "--base-directory": "r", "--search-path": "r", "--ignore-file": "r" } },
  ),
  tree: from("-L: -P: -I: -o: -H: -T: --filelimit= --charset= --sort= --gitfile= --infofile=", "r*", {
    always: true,
    values: { "-o": "w", "--gitfile": "r", "--infofile": "r" },
  }),
  ls: from(
    "-I: -w: -T: --ignore= --hide= --color? --sort= --time= --format= --block-size= --time-style= --width= --indicator-style= --quoting-style=",
    "r*",
  ),
  "dir, vdir": from("-I: -w: -T:", "r*"),
  eza: from("-L: -I: -s: -t: --level= --sort= --ignore-glob=", "r*"),
  exa: from("-L: -I: -s: -t: --level= --sort=", "r*"),
  du: from(
    "-d: -t: -X: -B: --max-depth= --threshold= --exclude= --exclude-from= --block-size= --time? --time-style= --files0-from=",
    "r*",
    {
      values: { "-X": "r", "--exclude-from": "r", "--files0-from": "r" },
    },
  ),
  df: from("-t: -x: -B: --type= --exclude-type= --output? --block-size=", "r*"),
  stat: from("-c: -f: -t: --format= --printf=", "r*"),
  realpath: from("--relative-to= --relative-base=", "r*"),
  sed: from("-e: -f: -l: -i? --expression= --file= --line-length= --in-place? -n -E -r -s -u -z", "x r*", {
    edits: true,
    values: { "-f": "r", "--file": "r" },
  }),
  "awk, gawk": from("-F: -v: -f: -e: --field-separator= --assign= --file= --source= -i: -l: -E:", "x r*", {
    values: { "-f": "r", "--file": "r", "-E": "r" },
  }),
  mawk: from("-F: -v: -f: -W:", "x r*", { values: { "-f": "r" } }),
  jq: from("-f: --from-file= -L: --indent= --tab -n -r -c -s -e -S -R -j -a -C -M", "x r*", { values: { "-f": "r", "--from-file": "r" } }),
  yq: from("-f: --from-file= -I: -o: -p: --indent= --output-format= --input-format= -i --inplace --in-place -r -n -e -P -M -C", "x r*", {
    edits: true,
    values: { "--from-file": "r" },
  }),
  cp: from("-t: -S: -Z --target-directory= --suffix= --sparse= --reflink? --backup? --preserve? --no-preserve=", "r* w", {
    values: { "-t": "w", "--target-directory": "w" },
    recursive: ["-r", "-R", "-a", "--recursive", "--archive"],
  }),
  mv: from("-t: -S: --target-directory= --suffix= --backup?", "b* w", { values: { "-t": "w", "--target-directory": "w" } }),
  ln: from("-t: -S: --target-directory= --suffix= --backup?", "r* w", { values: { "-t": "w", "--target-directory": "w" } }),
  link: from("", "r w"),
  "unlink, rmdir": from("", "w*"),
  rm: from("--interactive? --preserve-root?", "w*"),
  mkdir: from("-m: --mode= --context?", "w*"),
  touch: from("-t: -d: -r: --date= --reference= --time=", "w*", { values: { "-r": "r", "--reference": "r" } }),
  sponge: from("-a", "w*"),
  tee: from("--output-error?", "w*"),
  "chmod, chgrp": from("--reference=", "x w*", { values: { "--reference": "r" } }),
  chown: from("--reference= --from=", "x w*", { values: { "--reference": "r" } }),
  truncate: from("-s: -r: --size= --reference=", "w*"),
  iconv: from("-f: -t: -o: --from-code= --to-code= --output= -c -s -l", "r*", { values: { "-o": "w", "--output": "w" } }),
  install: from("-m: -o: -g: -t: -S: --mode= --owner= --group= --target-directory= --suffix= --strip-program=", "r* w", {
    values: { "-t": "w", "--target-directory": "w" },
  }),
  fallocate: from("-l: -o: --length= --offset= -c -d -i -n -p -z -x -v", "w*"),
  "dos2unix, unix2dos": from("-n -o -k -q -b -c: -m -l -i?", "b*", { prints: ["-i"] }),
  shred: from("-n: -s: --iterations= --size= --random-source=", "w*"),
  split: from("-a: -b: -C: -l: -n: -t: --bytes= --lines= --number= --suffix-length= --filter= --additional-suffix=", "r w"),
  mkfifo: from("-m: --mode=", "w*"),
  mknod: from("-m: --mode=", "w x*"),
  "gzip, gunzip": from("-S: --suffix=", "b*", { prints: ["-c", "-l", "-t"] }),
  "bzip2, bunzip2": from("", "b*", { prints: ["-c", "-t"] }),
  xz: from("-T: -S: -F: -C: --threads= --suffix= --format=", "b*", { prints: ["-c", "-l", "-t"] }),
  unxz: from("-T: -S:", "b*"),
  zstd: from("-o: -T: -D: -M:", "b*", { prints: ["-c", "-l", "-t"], values: { "-o": "w", "-D": "r" } }),
  zip: from("-b: -i: -n: -P: -s: -t: -x: -O:", "w r*", { values: { "-O": "w" }, recursive: ["-r", "-R", "--recurse-paths"] }),
  shuf: from("-e -i: -n: -o: -r -z --input-range= --head-count= --output= --random-source= --repeat --echo --zero-terminated", "r", {
    values: { "-o": "w", "--output": "w", "--random-source": "r" },
  }),
  unzip: from("-d: -P: -x:", "r x*", { values: { "-d": "w" } }),
  patch: from("-p: -i: -d: -o: -r: -B: -D: -F: -g: -V: -Y: -z: --input= --directory= --output= --strip=", "w r", {
    values: { "-i": "r", "-o": "w", "-d": "w", "--input": "r", "--output": "w", "--directory": "w" },
  }),
  "source, .": from("", "r x*"),
};

export const fileEntries = byEachName({ ...entries, ...transferEntries });
for (const name of "cat head tail sed grep cp mv rm ls sort find awk tee touch mkdir ln chmod du stat wc cut".split(" "))
  fileEntries.set(`g${name}`, fileEntries.get(name)!); // the names of GNU programs on other systems
