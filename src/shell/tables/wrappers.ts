// Wrappers, programs that run their arguments as a command, with the options that precede the command. A program without a row that is given
// the name of a denied one is asked about. Source: the manual page (man7.org, the GNU coreutils manual, or the program's own).

import type { OptionLine } from "../words/options.ts";
import { byEachName } from "./by-each-name.ts";

export type Wrapper = {
  options: OptionLine;
  /** How many operands precede the command. */
  operands?: number;
  /** Assignments may precede the command. */
  assigns?: true;
  /** The command is shell text: its words joined by spaces. */
  joined?: true;
  /** Options whose value is shell text. */
  text?: string[];
  /** Options that set the folder in which the command runs. */
  folder?: string[];
  /** Options that name the shell to start. */
  shell?: string[];
  /** It does not change what the command may do, and needs no rule of its own. */
  light?: true;
  /** With one of these options it does not run the command. */
  idle?: string[];
  /** It appends words that are not known before it runs. */
  appends?: true;
  /** The command runs elsewhere: on another host, in a container, under another root. */
  elsewhere?: true;
};

const timing = "-p --portability -v --verbose -a --append -q --quiet -f: --format= -o: --output= -V --version --help";
const trace =
  "-a: -b: -e: -E: -I: -o: -O: -p: -P: -s: -S: -u: -X: -c -C -d -D -DD -DDD -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z";

const byName: Record<string, Wrapper> = {
  "timeout, gtimeout": {
    options: "-k: --kill-after= -s: --signal= -f --foreground -p --preserve-status -v --verbose",
    operands: 1,
    light: true,
  },
  "nohup, builtin": { options: "", light: true },
  nice: { options: "-n: --adjustment= -N", light: true },
  time: { options: timing, light: true },
  stdbuf: { options: "-i: --input= -o: --output= -e: --error=", light: true },
  command: { options: "-p -v -V", light: true, idle: ["-v", "-V"] },
  exec: { options: "-c -l -a:", light: true },
  env: {
    options:
      "-i --ignore-environment -0 --null -u: --unset= -C: --chdir= -S: --split-string= -v --debug -P: --block-signal? --default-signal? --ignore-signal? --list-signal-handling -a: --argv0=",
    assigns: true,
    light: true,
    text: ["-S", "--split-string"],
    folder: ["-C", "--chdir"],
  },
  xargs: {
    options:
      "-0 --null -a: --arg-file= -d: --delimiter= -E: -e? --eof? -I: -i? --replace? -J: -R: -L: -l? --max-lines? -n: --max-args= -o --open-tty -P: --max-procs= -p --interactive --process-slot-var= -r --no-run-if-empty -s: --max-chars= -S: --show-limits -t --verbose -x --exit",
    light: true,
    appends: true,
  },
  parallel: {
    options:
      "-j: --jobs= -k --keep-order -0 --null -a: --arg-file= -n: -N: -I: -m -X -q -u --bar --dry-run --halt= --results= --joblog= -v -t --tag --will-cite --colsep= -C: --delay= --retries= --timeout= --progress --eta --line-buffer --lb -P:",
    joined: true,
    appends: true,
  },
  sudo: {
    options:
      "-A -B -b -C: -D: -E -e -g: -H -h: -i -K -k -l -N -n -P -p: -R: -r: -S -s -T: -t: -U: -u: -V -v --askpass --background --bell --close-from= --chdir= --preserve-env? --edit --group= --set-home --host= --login --remove-timestamp --reset-timestamp --list --non-interactive --preserve-groups --prompt= --chroot= --role= --stdin --shell --command-timeout= --type= --other-user= --user= --validate --no-update",
    assigns: true,
    idle: ["-l", "--list", "-V", "-v", "-k", "-K"],
    folder: ["-D", "--chdir", "-R", "--chroot"],
  },
  doas: { options: "-a: -C: -L -n -s -u:" },
  su: {
    options:
      "-c: --command= --session-command= -f --fast -g: --group= -G: --supp-group= -l --login -m -p --preserve-environment -P --pty -s: --shell= -w: --whitelist-environment= -",
    operands: 1,
    text: ["-c", "--command", "--session-command"],
    shell: ["-s", "--shell"],
  },
  runuser: {
    options: "-u: --user= -c: --command= --session-command= -f -g: --group= -G: -l --login -m -p -P --pty -s: --shell= -w:",
    text: ["-c", "--command", "--session-command"],
    shell: ["-s", "--shell"],
  },
  setsid: { options: "-c --ctty -f --fork -w --wait" },
  chroot: { options: "--userspec= --groups= --skip-chdir", operands: 1, elsewhere: true },
  flock: {
    options:
      "-c: --command= -E: --conflict-exit-code= -F --no-fork -e -x --exclusive -n --nb --nonblock -o --close -s --shared -u --unlock -w: --wait= --timeout= --verbose",
    operands: 1,
    text: ["-c", "--command"],
  },
  strace: { options: trace },
  watch: {
    options:
      "-b --beep -c --color -C -d? --differences? -e --errexit -g --chgexit -n: --interval= -p --precise -q: --equexit= -r -t --no-title -w --no-wrap -x --exec",
    joined: true,
  },
  script: {
    options: "-a --append -c: --command= -e --return -f --flush -q --quiet -t? --timing? -E: -m: -o: -B: -I: -O: -T: --force",
    operands: 999,
    text: ["-c", "--command"],
  },
  ssh: {
    options:
      "-4 -6 -A -a -B: -b: -C -c: -D: -E: -e: -F: -f -G -g -I: -i: -J: -K -k -L: -l: -M -m: -N -n -O: -o: -p: -Q: -q -R: -S: -s -T -t -V -v -W: -w: -X -x -Y -y",
    operands: 1,
    joined: true,
    elsewhere: true,
  },
  busybox: { options: "--list --install --help", idle: ["--list"] },
  "xvfb-run": {
    options:
      "-a --auto-servernum -e: --error-file= -f: --auth-file= -l --listen-tcp -n: --server-num= -p: --xauth-protocol= -s: --server-args= -w: --wait=",
  },
  npx: {
    options:
      "-y --yes --no -p: --package= -c: --call= -q --quiet --ignore-existing --no-install --workspace= -w: --workspaces -ws --version",
    text: ["-c", "--call"],
    idle: ["--version"],
  },
  bunx: { options: "--bun -p: --package= --silent --verbose" },
  pnpx: { options: "-p: --package= -c --shell-mode --silent" },
  uvx: { options: "--from= --with= -p: --python= -q --quiet" },
  "cross-env": { options: "", assigns: true },
  dotenv: { options: "-e: -c? -p: -v: -o --quiet --" },
};

export const wrappers = byEachName(byName);
