// Wrappers, programs that run their arguments as a command, some only after a certain word, with the options that precede the command. A
// program without a row that is given the name of a denied one is asked about. Source: the manual page (man7.org, the GNU coreutils manual, or the program's own).

import type { OptionLine } from "../words/options.ts";

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
  /** It does not change what the command may do, and needs no rule of its own. */
  light?: true;
  /** Options that take variables away, among them those by which git here is kept from running what a repository says. */
  clears?: string[];
  /** With one of these options it does not run the command. */
  idle?: string[];
  /** It appends words that are not known before it runs. */
  appends?: true;
  /** The command runs elsewhere: on another host, in a container, under another root. */
  elsewhere?: true;
};

/** With `+`, options without a value are not listed. */
const byName: Record<string, Wrapper> = {
  "timeout, gtimeout": { options: "-k: --kill-after= -s: --signal= --foreground --preserve-status -v --verbose", operands: 1, light: true },
  "nice, nohup, builtin": { options: "-n: --adjustment=", light: true },
  time: { options: "-f: --format= -p -v -a -q --portability --verbose --append --quiet", light: true },
  stdbuf: { options: "-i: --input= -o: --output= -e: --error=", light: true },
  command: { options: "-p -v -V", light: true, idle: ["-v", "-V"] },
  exec: { options: "-c", light: true, clears: ["-c"] },
  env: {
    options:
      "-u: --unset= -C: --chdir= -S: --split-string= --block-signal? --default-signal? --ignore-signal? -i --ignore-environment -0 --null -v --debug",
    assigns: true,
    light: true,
    text: ["-S", "--split-string"],
    folder: ["-C", "--chdir"],
    clears: ["-i", "--ignore-environment", "-u", "--unset"],
  },
  xargs: {
    options:
      "-a: --arg-file= -d: --delimiter= -E: -e? --eof? -I: -i? --replace? -J: -R: -L: -l? --max-lines? -n: --max-args= -P: --max-procs= -s: --max-chars= -S: -0 --null -r --no-run-if-empty -t --verbose -p --interactive -x --exit -o --open-tty --show-limits",
    light: true,
    appends: true,
  },
  parallel: {
    options: "-j: --jobs= -a: --arg-file= -n: -N: -I: --halt= --results= --joblog= --colsep= -C: --delay= --retries= --timeout= -P: +",
    joined: true,
    appends: true,
  },
  sudo: {
    options:
      "-C: -D: -g: -h: -p: -R: -r: -T: -t: -U: -u: --close-from= --chdir= --preserve-env? --group= --host= --prompt= --chroot= --role= --command-timeout= --type= --other-user= --user= +",
    assigns: true,
    idle: ["-l", "--list", "-V", "-v", "-k", "-K"],
    folder: ["-D", "--chdir", "-R", "--chroot"],
  },
  doas: { options: "-a: -C: -L -n -s -u:" },
  su: {
    options: "-c: --command= --session-command= -g: --group= -G: --supp-group= -s: --shell= -w: --whitelist-environment= +",
    operands: 1,
    text: ["-c", "--command", "--session-command"],
  },
  runuser: {
    options: "-u: --user= -c: --command= --session-command= -g: --group= -G: -s: --shell= -w: +",
    operands: 0,
    text: ["-c", "--command", "--session-command"],
  },
  setsid: { options: "+" },
  chroot: { options: "--userspec= --groups= --skip-chdir", operands: 1, elsewhere: true },
  flock: { options: "-c: --command= -E: --conflict-exit-code= -w: --wait= --timeout= +", operands: 1, text: ["-c", "--command"] },
  strace: { options: "-a: -b: -e: -E: -I: -o: -O: -p: -P: -s: -S: -u: -X: +" },
  watch: { options: "-d? --differences? -n: --interval= -q: --equexit= +", joined: true },
  script: { options: "-c: --command= -t? --timing? -E: -m: -o: -B: -I: -O: -T: +", operands: 999, text: ["-c", "--command"] },
  ssh: {
    options: "-B: -b: -c: -D: -E: -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -p: -Q: -R: -S: -W: -w: +",
    operands: 1,
    joined: true,
    elsewhere: true,
  },
  busybox: { options: "--list --install --help", idle: ["--list"] },
  "xvfb-run": { options: "-e: --error-file= -f: --auth-file= -n: --server-num= -p: --xauth-protocol= -s: --server-args= -w: --wait= +" },
  "npx, npm exec, npm x": { options: "-p: --package= -c: --call= --workspace= -w: +", text: ["-c", "--call"], idle: ["--version"] },
  "bunx, bun x, pnpx, pnpm dlx, yarn dlx": { options: "-p: --package= +" },
  uvx: { options: "--from= --with= -p: --python= -q --quiet" },
  "cross-env": { options: "", assigns: true },
  dotenv: { options: "-e: -c? -p: -v: -o --quiet --" },
  "git bisect run, asdf exec, rbenv exec, pyenv exec, nodenv exec": { options: "" },
  "git rebase": { options: "-x: --exec: -s: -X: -C: --onto= --strategy= --strategy-option= +", operands: 999, text: ["-x", "--exec"] },
  "poetry run, pipenv run, pdm run, hatch run, rye run": { options: "" },
  "git submodule foreach": { options: "--recursive -q --quiet", joined: true },
  "yarn exec, pnpm exec": { options: "+" },
  "bundle exec": { options: "--keep-file-descriptors --gemfile=" },
  "uv run": { options: "--with= --python= -p: --extra= --group= --env-file= --project= --directory= +" },
  "docker exec, docker container exec, docker compose exec, podman exec, kubectl exec": {
    options:
      "--detach-keys= -e: --env= --env-file= --index= -u: --user= -w: --workdir= -c: --container= -f: --filename= -n: --namespace= +",
    operands: 1,
    elsewhere: true,
  },
  "tmux new-session, tmux new, tmux new-window, tmux neww, tmux split-window, tmux splitw, tmux run-shell, tmux run, tmux popup, tmux respawn-pane, tmux respawnp":
    {
      options: "-c: -e: -F: -l: -n: -p: -s: -t: -x: -y: +",
      joined: true,
    },
};

/** By the name of the program, or with the words behind it that make it a wrapper. */
export const wrappers = new Map(Object.entries(byName).flatMap(([names, row]) => names.split(", ").map((name) => [name, row] as const)));
