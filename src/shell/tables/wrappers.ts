// Wrappers, programs that run their arguments as a command, with the options that precede the command. Programs that agree share a row.
// Source: the manual page (man7.org, the GNU coreutils manual, or the program's own).

import { byEachName } from "./by-each-name.ts";
import type { Wrapper } from "./wrapper.ts";

const timing = "-p --portability -v --verbose -a --append -q --quiet -f: --format= -o: --output= -V --version --help";
const trace =
  "-a: -b: -e: -E: -I: -o: -O: -p: -P: -s: -S: -u: -X: -c -C -d -D -DD -DDD -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z";
const space =
  "-m -u -i -n -p -U -C -T -f -r --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --fork --map-root-user --map-current-user -c --mount-proc? --keep-caps --propagation= --setgroups= -R: --root= -w: --wd= -S: --setuid= -G: --setgid= --map-user= --map-group= --map-auto --map-users= --map-groups= --kill-child? --monotonic= --boottime=";

const byName: Record<string, Wrapper> = {
  "timeout, gtimeout": {
    options: "-k: --kill-after= -s: --signal= -f --foreground -p --preserve-status -v --verbose",
    operands: 1,
    light: true,
  },
  "nohup, builtin": { options: "", light: true },
  nice: { options: "-n: --adjustment= -N", light: true },
  ionice: {
    options: "-c: --class= -n: --classdata= -t --ignore -p: --pid= -P: --pgid= -u: --uid=",
    light: true,
    idle: ["-p", "--pid", "-P", "-u"],
  },
  time: { options: timing, light: true },
  gtime: { options: timing },
  stdbuf: { options: "-i: --input= -o: --output= -e: --error=", light: true },
  unbuffer: { options: "-p", light: true },
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
  pkexec: { options: "--user= --disable-internal-agent --keep-cwd" },
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
  sg: { options: "-c:", operands: 1, text: ["-c"], joined: true },
  setpriv: {
    options:
      "--no-new-privs --reuid= --regid= --clear-groups --keep-groups --init-groups --groups= --inh-caps= --ambient-caps= --bounding-set= --securebits= --pdeathsig= --selinux-label= --apparmor-profile= --reset-env",
  },
  setsid: { options: "-c --ctty -f --fork -w --wait" },
  chroot: { options: "--userspec= --groups= --skip-chdir", operands: 1, elsewhere: true },
  unshare: { options: space },
  nsenter: {
    options:
      "-a --all -t: --target= -m? -u? -i? -n? -p? -U? -C? -T? --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? -S: --setuid= -G: --setgid= --preserve-credentials -r? --root? -w? --wd? -W: -F --no-fork -Z -e --env",
  },
  flock: {
    options:
      "-c: --command= -E: --conflict-exit-code= -F --no-fork -e -x --exclusive -n --nb --nonblock -o --close -s --shared -u --unlock -w: --wait= --timeout= --verbose",
    operands: 1,
    text: ["-c", "--command"],
  },
  strace: { options: trace },
  ltrace: { options: "-a: -A: -b -c -C -d -D: -e: -f -F: -h -i -l: -L -n: -o: -p: -r -s: -S -t -tt -T -u: -V -w: -x:" },
  taskset: { options: "-a --all-tasks -c --cpu-list -p --pid", operands: 1, light: true, idle: ["-p", "--pid"] },
  chrt: {
    options: "-a -b -d -f -i -m -o -p -r -R -v -T: -P: -D: --batch --deadline --fifo --idle --other --rr --reset-on-fork --pid",
    operands: 1,
  },
  numactl: { options: "-a -i: -m: -N: -C: -p: -l --interleave= --membind= --cpunodebind= --physcpubind= --preferred= --localalloc --all" },
  prlimit: {
    options:
      "-p: --pid= -o: --noheadings --raw --verbose -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y? --core? --nofile? --nproc? --as? --cpu? --data? --fsize? --rss? --stack?",
  },
  choom: { options: "-n: -p:" },
  setarch: { options: "-B -F -I -L -R -S -T -X -Z -3 -v --32bit --addr-no-randomize --uname-2.6 --verbose", operands: 1 },
  "linux32, linux64": { options: "-B -F -I -L -R -S -T -X -Z -3 -v" },
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
  mosh: { options: "--client= --server= --predict= --ssh= -p: --port= -4 -6 -a -n", operands: 1, elsewhere: true },
  busybox: { options: "--list --install --help", idle: ["--list"] },
  toybox: { options: "--long --help --version" },
  fakeroot: { options: "-l: --lib= --faked= -s: -i: -u -b: -h -v" },
  proot: { options: "-r: -b: -q: -w: -v: -0 -S: -R: --rootfs= --bind= --cwd=" },
  firejail: { options: "--quiet --noprofile --net= --private? --profile= --seccomp?" },
  "eatmydata, torify, tsocks, catchsegv, direnv, pipx, poetry-run, coproc": { options: "" },
  torsocks: { options: "-a: -P: -p: -u: -i -q -d --quiet --debug --isolate" },
  "proxychains, proxychains4": { options: "-q -f:" },
  valgrind: {
    options:
      "--tool= --leak-check= --track-origins= --error-exitcode= -q -v --log-file= --suppressions= --show-leak-kinds= --trace-children= --num-callers=",
  },
  "systemd-run": {
    options:
      "--user --system --scope -u: --unit= -p: --property= --description= --slice= -r --remain-after-exit --send-sighup --uid= --gid= --nice= -d --working-directory= -E: --setenv= -t --pty -P --pipe -q --quiet -S --shell -G --collect --wait --same-dir --no-block --on-active= --on-boot= --on-calendar=",
  },
  "systemd-inhibit": { options: "--what= --who= --why= --mode= --list" },
  "dbus-run-session": { options: "--config-file= --dbus-daemon=" },
  "dbus-launch": { options: "--sh-syntax --exit-with-session --autolaunch=" },
  "xvfb-run": {
    options:
      "-a --auto-servernum -e: --error-file= -f: --auth-file= -l --listen-tcp -n: --server-num= -p: --xauth-protocol= -s: --server-args= -w: --wait=",
  },
  "ssh-agent": { options: "-a: -c -D -d -E: -k -P: -s -t:", idle: ["-k"] },
  "start-stop-daemon": {
    options:
      "-S -K -b -m --start --stop --background --make-pidfile --quiet -q -p: --pidfile= -a: --startas= -x: --exec= -u: --user= -c: --chuid= -d: --chdir= -g: --group= -n: --name= -o -t -v",
    text: ["-x", "--exec", "-a", "--startas"],
  },
  daemonize: { options: "-a -c: -e: -E: -o: -p: -l: -u: -v" },
  "setuidgid, envdir, envuidgid": { options: "", operands: 1 },
  chpst: { options: "-u: -U: -b: -e: -/: -n: -l: -L: -m: -d: -o: -p: -f: -c: -t: -r: -v -V -P -0 -1 -2" },
  softlimit: { options: "-a: -c: -d: -f: -l: -m: -o: -p: -r: -s: -t:" },
  cgexec: { options: "-g: --sticky" },
  runcon: { options: "-c -t: -u: -r: -l: --compute --type= --user= --role= --range=", operands: 1 },
  rlwrap: {
    options: "-a? -A? -b: -c -C: -D: -e: -f: -F: -g: -H: -i -I -l: -m? -M: -n -N -o -O: -p? -P: -q: -r -R -s: -S: -t: -U -v -w: -W -X -z:",
  },
  faketime: { options: "-f -m -p", operands: 1 },
  entr: { options: "-a -c -d -n -p -r -s -x -z" },
  hyperfine: {
    options:
      "-w: --warmup= -m: --min-runs= -M: --max-runs= -r: --runs= -s: --setup= -p: --prepare= -c: --cleanup= -P: -D: -L: --style= -S: --shell= -N -i --ignore-failure -n: --command-name= --export-json= --export-markdown= --export-csv= --show-output --output= --input= -u: --time-unit= -C: --conclude=",
    joined: true,
    text: ["-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude"],
  },
  "ts-node-dev": { options: "--respawn" },
  npx: {
    packages: true,
    options:
      "-y --yes --no -p: --package= -c: --call= -q --quiet --ignore-existing --no-install --workspace= -w: --workspaces -ws --version",
    text: ["-c", "--call"],
    idle: ["--version"],
  },
  bunx: { packages: true, options: "--bun -p: --package= --silent --verbose" },
  pnpx: { options: "-p: --package= -c --shell-mode --silent" },
  uvx: { options: "--from= --with= -p: --python= -q --quiet" },
  "cross-env": { options: "", assigns: true },
  dotenv: { options: "-e: -c? -p: -v: -o --quiet --" },
  caffeinate: { options: "-d -i -m -s -u -t: -w:", light: true },
  arch: { options: "-x86_64 -arm64 -arm64e -i386 -c -d: -e:" },
  nyc: {
    options:
      "-r: --reporter= -x: --exclude= -n: --include= -e: --extension= -i: --require= --cwd= --report-dir= --temp-dir= -t: --nycrc-path= --all --silent -s --check-coverage --cache --no-cache",
    runner: true,
  },
  c8: {
    options:
      "-r: --reporter= -o: --reports-dir= --report-dir= -x: --exclude= -n: --include= --src= --all -a --check-coverage --clean --temp-directory= -c: --config= --100 --skip-full",
    runner: true,
  },
  chronic: { options: "-v -e" },
  ifne: { options: "-n" },
  sem: { options: "-j: --jobs= --fg --id= --wait", joined: true },
};

export const wrappers = byEachName(byName);
