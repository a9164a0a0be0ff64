// A denied program in every wrapper, quoting and nesting form, under rules that allow everything else: it must never be allowed.
import { parseBashPattern } from "../../src/shell/judge/bash-pattern.ts";
import type { ShellRule } from "../../src/shell/judge/judge-part.ts";
import { judgeShell } from "../../src/shell/judge/judge-shell.ts";
import { analyseCommand } from "../../src/shell/walk/analyse-command.ts";
import { random } from "./random.ts";

export type DenyResult = { commands: number; denied: number; asked: number; allowed: string[] };

/** For every program all forms, then `count` random triples; with `pairs` each quoting in each form, and all pairs of forms. */
export function denyInWrappers({ seed, count, pairs }: { seed: number; count: number; pairs: boolean }): DenyResult {
  const result: DenyResult = { commands: 0, denied: 0, asked: 0, allowed: [] };
  const chance = random(seed);
  for (const program of deniedPrograms) {
    for (const quoting of pairs ? quotings : [chance.of(quotings)]) {
      const bare = `${quoting(program)} x`;
      check(program, bare, result);
      for (const form of forms) check(program, form(bare), result);
    }
    if (pairs) for (const outer of forms) for (const inner of forms) check(program, outer(inner(`${program} x`)), result);
  }
  for (let turn = 0; turn < count; turn++) {
    const program = chance.of(deniedPrograms);
    check(program, chance.of(forms)(chance.of(forms)(chance.of(forms)(`${chance.of(quotings)(program)} x`))), result);
  }
  return result;
}

function check(program: string, command: string, result: DenyResult): void {
  const rules = { deny: [rule(`${program}:*`)], ask: [], allow: [rule("*"), rule(`${program}:*`), ...broad], grants: [] };
  const judgeFile = () => ({ decision: "allow" as const, by: "default" as const, reason: "" });
  const { decision } = judgeShell({ analysis: analyseCommand(command), rules, mode: "default", judgeFile });
  result.commands++;
  if (decision === "deny") result.denied++;
  else if (decision === "ask") result.asked++;
  else result.allowed.push(command);
}

function rule(inner: string): ShellRule {
  const parsed = parseBashPattern(inner);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { text: `Bash(${inner})`, pattern: parsed.pattern };
}

const broad = "env sudo bash sh eval xargs find timeout nice nohup command exec watch ssh su flock script git python3"
  .split(" ")
  .map((name) => rule(`${name}:*`));

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const doubled = (text: string) => `"${text.replaceAll(/[\\"$`]/g, "\\$&")}"`;

const quotings: ((program: string) => string)[] = [
  (p) => p,
  (p) => `'${p}'`,
  (p) => `"${p}"`,
  (p) => `\\${p}`,
  (p) => `${p[0]}''${p.slice(1)}`,
  (p) => `${p[0]}""${p.slice(1)}`,
  (p) => `${p[0]}\\${p.slice(1)}`,
  (p) => `${p[0]}\\\n${p.slice(1)}`,
  (p) =>
    `$'${p
      .split("")
      .map((c) => `\\x${c.charCodeAt(0).toString(16)}`)
      .join("")}'`,
  (p) => `$'\\${p.charCodeAt(0).toString(8).padStart(3, "0")}'${p.slice(1)}`,
  (p) => `/bin/${p}`,
  (p) => `/usr/bin/../bin/${p}`,
  (p) => `./${p}`,
  (p) => `{${p},}`,
  (p) => `$(echo ${p})`,
  (p) => `\`echo ${p}\``,
];

/** A wrapper takes a program and its arguments; anything more complex is given to a shell. */
const simple = (command: string) =>
  /[\n;|&()<>`]|^[!{[]|^(if|for|while|case|coproc)\b|^\w+(\[.*\])?=/.test(command) ? `bash -c ${quoted(command)}` : command;

/** Forms that join commands put them on lines of their own: a here-document ends at its own line. */
const forms: ((command: string) => string)[] = [
  (c) => `A=b ${simple(c)}`,
  (c) => `env ${simple(c)}`,
  (c) => `env -i A=b ${simple(c)}`,
  (c) => `env -u A -- ${simple(c)}`,
  (c) => `env -S ${quoted(c)}`,
  (c) => `/usr/bin/env ${simple(c)}`,
  (c) => `nohup ${simple(c)}`,
  (c) => `nice ${simple(c)}`,
  (c) => `nice -n 5 ${simple(c)}`,
  (c) => `ionice -c 3 ${simple(c)}`,
  (c) => `timeout 5 ${simple(c)}`,
  (c) => `timeout -s KILL -k 1 5 ${simple(c)}`,
  (c) => `stdbuf -oL ${simple(c)}`,
  (c) => `setsid -w ${simple(c)}`,
  (c) => `sudo ${simple(c)}`,
  (c) => `sudo -u me -E ${simple(c)}`,
  (c) => `doas ${simple(c)}`,
  (c) => `command ${simple(c)}`,
  (c) => `exec ${simple(c)}`,
  (c) => `exec -a z ${simple(c)}`,
  (c) => `time -p ${simple(c)}`,
  (c) => `strace -f ${simple(c)}`,
  (c) => `chroot / ${simple(c)}`,
  (c) => `unshare -r ${simple(c)}`,
  (c) => `flock l ${simple(c)}`,
  (c) => `flock l -c ${quoted(c)}`,
  (c) => `busybox ${simple(c)}`,
  (c) => `xargs ${simple(c)}`,
  (c) => `echo a | xargs -n 1 -I{} ${simple(c)} {}`,
  (c) => `find . -exec ${simple(c)} {} \\;`,
  (c) => `find . -name a -execdir ${simple(c)} {} +`,
  (c) => `watch -n 1 ${quoted(c)}`,
  (c) => `ssh host ${quoted(c)}`,
  (c) => `su -c ${quoted(c)}`,
  (c) => `script -qc ${quoted(c)}`,
  (c) => `sh -c ${quoted(c)}`,
  (c) => `bash -lc ${quoted(c)}`,
  (c) => `bash -c ${doubled(c)}`,
  (c) => `eval ${quoted(c)}`,
  (c) => `trap ${quoted(c)} EXIT`,
  (c) => `bash <<'END'\n${c}\nEND\n`,
  (c) => `bash <<< ${quoted(c)}`,
  (c) => `echo ${quoted(c)} | sh`,
  (c) => `( ${c} )`,
  (c) => `{ ${c}\n}`,
  (c) => `! ${c}`,
  (c) => `ls; ${c}`,
  (c) => `ls && ${c}`,
  (c) => `ls || ${c}`,
  (c) => `ls | ${c}`,
  (c) => `ls & ${c}`,
  (c) => `ls\n${c}`,
  (c) => `if ${c}\nthen ls; fi`,
  (c) => `for i in 1; do ${c}\ndone`,
  (c) => `while ${c}\ndo break; done`,
  (c) => `case a in a) ${c}\n;; esac`,
  (c) => `f() { ${c}\n}; f`,
  (c) => `coproc { ${c}\n}`,
  (c) => `echo $(${c}\n)`,
  (c) => `echo "$(${c}\n)"`,
  (c) => `echo \`${c.replaceAll(/[\\`]/g, "\\$&")}\``,
  (c) => `cat <(${c}\n)`,
  (c) => `ls > >(${c}\n)`,
  (c) => `x=$(${c}\n)`,
  (c) => `echo \${x:-$(${c}\n)}`,
  (c) => `echo $(( $(${c}\n) ))`,
  (c) => `[[ $(${c}\n) ]]`,
  (c) => `cat <<EOT\n$(${c}\n)\nEOT\n`,
  (c) => `cat <<< "$(${c}\n)"`,
  (c) => `a[$(${c}\n)]=1`,
];

export const formCount = forms.length + quotings.length;

export const deniedPrograms =
  "rm rmdir mv cp dd shred truncate chmod chown ln mkfs mount umount kill killall pkill shutdown reboot halt poweroff systemctl service crontab at useradd userdel passwd su2 visudo iptables nft ufw ip ifconfig route curl wget nc ncat socat telnet ftp sftp scp rsync ssh-keygen gpg openssl base64 xxd tar zip unzip gzip 7z docker podman kubectl helm terraform ansible aws gcloud az heroku vercel netlify npm2 npx2 yarn pnpm bun deno node python python3 perl ruby php lua java gcc make cmake cargo go gem pip pip3 apt apt-get dpkg yum dnf brew snap git2 gh glab hg svn vim nano emacs ed sed awk tee install mkfifo mknod screen tmux nmap dig host mail psql mysql sqlite3".split(
    " ",
  );
