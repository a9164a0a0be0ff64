// The user's sockets, and commands in the sandbox that try to reach them. The sockets are in the home: the sandbox hides the machine's /tmp
// anyway.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, linkSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemCallFilter } from "../../../../src/edge/shell/sandbox/seccomp.ts";
import { unixSockets } from "../../../../src/edge/shell/sandbox/unix-sockets.ts";
import { lacks } from "../../../needs.ts";
import { programFolder } from "../../../scratch.ts";
import { type EscapeWorld, escapeWorld, type WorldOptions } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}): Promise<EscapeWorld> {
  const made = await escapeWorld(options);
  onTestFinished(made.close);
  return made;
}

/** A socket that answers REACHED to everybody. */
async function listener(path: string): Promise<string> {
  const server = net.createServer((socket) => socket.on("error", () => {}).end("REACHED"));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
}

const listening =
  'require("net").createServer((s) => s.end("REACHED")).listen(process.argv[1], () => { process.chdir("/"); console.log("ready"); })';

/** The same in a separate process that runs `before` first, is started as by a shell in `cwd`, and leaves that as a service does. */
async function listeningProcess(path: string, { before = [], cwd }: { before?: string[]; cwd: string }): Promise<void> {
  const script = ["-e", listening, path];
  const [program = process.execPath, ...args] = before;
  const child: ChildProcess = spawn(program, before.length > 0 ? [...args, process.execPath, ...script] : script, {
    cwd,
    env: { ...process.env, PWD: cwd },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout!, "data");
}

const connecting = `require("net").connect(process.argv[1].replace("@", "\\0")).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`;
const connect = (path: string) => `node -e '${connecting}' '${path}'`;

const outside = () => programFolder();

it.skipIf(await lacks("sandbox", "tmux"))("the user's tmux server, which would run anything outside, cannot be reached", async () => {
  const here = await world();
  const folder = outside();
  const socket = join(folder, "s");
  const tmux = (...args: string[]) => execFileSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { stdio: "pipe" });
  tmux("new-session", "-d", "-s", "persons", "sleep 1000");
  onTestFinished(() => void tmux("kill-server"));
  const { output } = await here.run(`tmux -S ${socket} run-shell "echo x > ${folder}/canary"`);
  expect([output, existsSync(join(folder, "canary"))]).toEqual([expect.stringMatching(/no server running|error connecting/), false]);
  tmux("run-shell", `echo x > ${folder}/canary`);
  expect(existsSync(join(folder, "canary"))).toBe(true); // the same from outside
});

inSandbox("an agent's socket in the home is not reached, by none of its names", async () => {
  const here = await world();
  const folder = outside();
  const socket = await listener(join(folder, "agent.sock"));
  const other = `${folder}-link`;
  const { output } = await here.run(
    [connect(socket), `ln -s ${folder} l; ${connect("l/agent.sock")}`, connect(`/proc/self/root${socket}`)].join("; "),
  );
  expect([output, existsSync(other)]).toEqual(["ECONNREFUSED\n".repeat(3), false]);
});

inSandbox("a socket in the tree is not reached, nor after its folder was moved", async () => {
  const here = await world();
  const { cwd } = here.policy;
  mkdirSync(join(cwd, "run"));
  const socket = await listener(join(cwd, "run/server.sock"));
  const first = await here.run(
    `${connect(socket)}; mv run moved 2>/dev/null; mv run/server.sock x 2>/dev/null; ${connect("moved/server.sock")}`,
  );
  const second = await here.run(`ls; ${connect("run/server.sock")}; ${connect("moved/server.sock")}; ${connect("x")}`);
  expect([first.output, second.output].join().includes("REACHED")).toBe(false);
  expect(second.output).toContain("ECONNREFUSED");
});

inSandbox("a socket that was made after the sandbox was made ready is not reached", async () => {
  const here = await world();
  const folder = outside();
  await here.run("true"); // prepares the next sandbox
  const sockets = [await listener(join(folder, "late.sock")), await listener(join(here.policy.cwd, "late.sock"))];
  const { output } = await here.run(sockets.map(connect).join("; "));
  expect(output).toBe("ECONNREFUSED\n".repeat(2));
});

inSandbox("a socket that was bound by a relative path, or through a descriptor, is not reached", async () => {
  const here = await world();
  const folder = outside();
  await listeningProcess("relative.sock", { cwd: folder });
  await listeningProcess("/proc/self/fd/9/held.sock", { cwd: folder, before: ["bash", "-c", 'exec 9<.; exec "$@"', "bash"] });
  const { output } = await here.run(["relative.sock", "held.sock"].map((name) => connect(join(folder, name))).join("; "));
  expect(output).toBe("ECONNREFUSED\n".repeat(2));
});

inSandbox("a socket that got its name after it was bound is not reached", async () => {
  const here = await world();
  const folder = outside();
  const sockets = ["master", "moved", "twice", "line\nbreak", "before/in", "outer/a/b/deep"].map((name) => join(folder, name));
  const [master = "", moved = "", twice = "", broken = "", inFolder = "", deep = ""] = sockets;
  for (const name of ["before", "outer/a/b"]) mkdirSync(join(folder, name), { recursive: true });
  for (const each of [`${master}.Xq1`, `${moved}.new`, twice, broken, inFolder, deep]) await listener(each);
  linkSync(`${master}.Xq1`, master); // as ssh does with ControlPath
  unlinkSync(`${master}.Xq1`);
  renameSync(`${moved}.new`, moved);
  linkSync(twice, `${twice}-again`);
  renameSync(join(folder, "before"), join(folder, "after"));
  renameSync(join(folder, "outer/a"), join(folder, "outer/c"));
  const names = [master, moved, twice, `${twice}-again`, broken, join(folder, "after/in"), join(folder, "outer/c/b/deep")];
  const { output } = await here.run(names.map((name) => connect(name)).join("; "));
  expect(output).toBe("ECONNREFUSED\n".repeat(names.length));
});

inSandbox("a service in a network of its own, which the kernel does not list here, is covered by the variable that names it", async () => {
  const folder = outside();
  const socket = join(folder, "docker.sock");
  const before = ["bwrap", "--dev-bind", "/", "/", "--unshare-net", "--die-with-parent"];
  await listeningProcess(socket, { before, cwd: folder });
  const [unnamed, named] = [await world(), await world({ namedSockets: [socket] })];
  expect([(await unnamed.run(connect(socket))).output, (await named.run(connect(socket))).output]).toEqual(["REACHED\n", "ECONNREFUSED\n"]);
});

it.skipIf(process.platform !== "linux")("a socket without a path, or one that vanishes while it is looked at, is left out", async () => {
  const path = await listener(join(outside(), "kept.sock"));
  const server = net.createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const found = unixSockets({ named: [`/proc/self/fd/${fd}`, path], opened: [] });
  expect(found.filter((each) => each === path || each.includes("/fd/"))).toEqual([path]);
});

it.skipIf((await lacks("sandbox")) || process.getuid?.() !== 0)(
  "for root, a socket in a folder that another user closed is out of reach, and in the way of no command",
  async () => {
    const closed = join(outside(), "theirs");
    mkdirSync(closed);
    const [theirs, here] = [await listener(join(closed, "s")), await world()];
    const find = () => unixSockets({ named: [], opened: [] }).includes(theirs);
    chownSync(closed, 54_321, 54_321);
    chmodSync(closed, 0o711);
    expect([find(), (await here.run(connect(theirs))).output]).toEqual([true, "ECONNREFUSED\n"]);
    chmodSync(closed, 0o700);
    expect([find(), (await here.run(connect(theirs))).output]).toEqual([false, "EACCES\n"]);
  },
);

inSandbox("programs make sockets of their own, in the tree and in /tmp", async () => {
  const here = await world();
  const own = (path: string) =>
    `node -e 'const net = require("net"); const s = net.createServer((c) => c.end("OWN")).listen("${path}", () => net.connect("${path}").on("data", (d) => { console.log(String(d)); s.close(); }))'`;
  expect((await here.run(`${own("own.sock")}; ${own("/tmp/own.sock")}`)).output).toBe("OWN\nOWN\n");
});

inSandbox("a socket that a person's settings open is reached", async () => {
  const socket = await listener(join(outside(), "opened.sock"));
  const here = await world({ shared: [socket] });
  expect((await here.run(connect(socket))).output).toBe("REACHED\n");
});

inSandbox("abstract sockets are of the network: reached only where that is open, and not where sockets are closed", async () => {
  const name = `tool-test-${process.pid}`;
  await listener(`\0${name}`);
  const worlds = [await world(), await world({ network: true }), await world({ network: true, socketsClosed: true })];
  const outputs = await Promise.all(worlds.map(async (each) => (await each.run(connect(`@${name}`))).output));
  expect(outputs.map((output) => output.trim().split("\n").at(-1))).toEqual(["ECONNREFUSED", "REACHED", "EAFNOSUPPORT"]);
});

const closes = !(await lacks("sandbox")) && systemCallFilter({ withoutUnixSockets: true }) !== undefined;
const hasPerl = existsSync("/usr/bin/perl");
if (!hasPerl) console.warn("Skipped: there is no perl to make the calls with");
if (!closes) console.warn(`Skipped: without a sandbox, or on ${process.arch}, system calls cannot be refused`);

const perl = (call: string) =>
  `perl -e '$! = 0; $key = "user"; $r = syscall(${call}); print $r < 0 ? "refused $!{EAFNOSUPPORT}$!{ENOSYS}" : "made"; print "\\n"'`;

it.skipIf(!closes || !hasPerl)("the keys of the session in which this program was started are neither read nor replaced", async () => {
  const here = await world();
  const [addKey = 0, requestKey = 0, keyctl = 0] = process.arch === "arm64" ? [217, 218, 219] : [248, 249, 250];
  const [sessionRing, create] = [-3, 1];
  const calls = [
    `${addKey}, $key, $key, $key, 4, ${sessionRing}`,
    `${requestKey}, $key, $key, 0, 0`,
    `${keyctl}, 0, ${sessionRing}, ${create}`,
    ...(process.arch === "x64" ? [`${keyctl} | 0x40000000, 0, ${sessionRing}, ${create}`] : []),
  ];
  const { output } = await here.run(calls.map(perl).join("; "));
  expect(output).toBe("refused 038\n".repeat(calls.length));
});

/** A program that makes one 32-bit system call, and ends with the number of its error; with 0 if there is none. */
function foreignCall(number: number, first: number): Buffer {
  const word = (value: number, size: 4 | 8) => {
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32LE(value, 0);
    return bytes;
  };
  const set = (register: number, value: number) => Buffer.concat([Buffer.from([0xb8 + register]), word(value, 4)]);
  const [a, c, d, b] = [0, 1, 2, 3];
  const call = [set(a, number), set(b, first), set(c, 1), set(d, 0), Buffer.from("cd80", "hex")];
  // edi = eax < 0 ? -eax : 0; then exit(edi), as a 64-bit call
  const end = [Buffer.from("f7d8" + "31ff" + "85c0" + "0f4ff8", "hex"), set(a, 60), Buffer.from("0f05", "hex")];
  const code = Buffer.concat([...call, ...end]);
  const [at, base] = [64 + 56, 0x400000];
  const words = (...list: [number, 4 | 8][]) => Buffer.concat(list.map(([value, size]) => word(value, size)));
  const header = Buffer.concat([
    Buffer.from("7f454c46020101000000000000000000" + "02003e00", "hex"),
    words([1, 4], [base + at, 8], [64, 8], [0, 8], [0, 4]),
    Buffer.from("400038000100" + "000000000000", "hex"),
  ]);
  const size = at + code.length;
  return Buffer.concat([header, words([1, 4], [5, 4], [0, 8], [base, 8], [base, 8], [size, 8], [size, 8], [4096, 8]), code]);
}

it.skipIf(!closes || process.arch !== "x64")("no 32-bit call makes a socket to the machine that this one runs on", async () => {
  const here = await world();
  const [socket, socketcall, virtualMachines, none] = [359, 102, 40, 0];
  const calls = { vsock: [socket, virtualMachines], inet: [socket, 2], any: [socketcall, none] } as const;
  for (const [name, [number, first]] of Object.entries(calls))
    writeFileSync(join(here.policy.cwd, name), foreignCall(number, first), { mode: 0o755 });
  if (spawnSync(join(here.policy.cwd, "any")).status !== 22) return console.warn("Skipped: this kernel takes no 32-bit calls");
  const { output } = await here.run("./vsock; echo $?; ./inet; echo $?; ./any; echo $?");
  expect(output).toBe("97\n0\n38\n");
});

it.skipIf(!closes || !hasPerl)("with Unix sockets closed none can be created, by any call, and programs still start programs", async () => {
  const here = await world({ socketsClosed: true });
  const [socket, socketpair] = process.arch === "arm64" ? [198, 199] : [41, 53];
  const pair = (type: number) =>
    `my $b = pack("l2", 0, 0); $r = syscall(${socketpair}, 1, ${type}, 0, $b); print $r < 0 ? "refused" : "made"; print "\\n"`;
  const lines = [
    perl(`${socket}, 1, 1, 0`),
    perl(`${socket}, 1 + 2**32, 2, 0`),
    perl("425, 8, 0"),
    ...(process.arch === "x64" ? [perl(`${socket} | 0x40000000, 1, 1, 0`)] : []),
    `perl -e '${pair(2)}'`,
    `perl -e '${pair(1)}'`,
    `node -e 'require("child_process").spawn("echo", ["started"]).stdout.pipe(process.stdout)'`,
  ];
  const outputs: string[] = [];
  for (const line of lines) outputs.push((await here.run(line)).output.trim());
  const refused = outputs.slice(0, -3);
  expect(refused.every((output) => output.startsWith("refused "))).toBe(true);
  expect(outputs.slice(-3)).toEqual(["refused", "made", "started"]);
});

/** A 32-bit program: socket(AF_UNIX, SOCK_STREAM, 0) by `int 0x80`, and exit code 42 if that gave a descriptor. */
function foreignProgram(): Buffer {
  const code = Buffer.from("b867010000bb01000000b90100000031d2cd8085c07807bb2a000000eb05bb01000000b801000000cd80", "hex");
  const header = Buffer.alloc(84);
  header.write("\x7fELF\x01\x01\x01", 0, "latin1");
  const [word, half] = [
    (value: number, at: number) => header.writeUInt32LE(value, at),
    (value: number, at: number) => header.writeUInt16LE(value, at),
  ];
  for (const [value, at] of [
    [2, 16],
    [3, 18],
    [52, 40],
    [32, 42],
    [1, 44],
  ] as const)
    half(value, at);
  const base = 0x08048000;
  for (const [value, at] of [
    [1, 20],
    [base + 84, 24],
    [52, 28],
  ] as const)
    word(value, at);
  const size = header.length + code.length;
  for (const [at, value] of [1, 0, base, base, size, size, 5, 0x1000].entries()) word(value, 52 + 4 * at);
  return Buffer.concat([header, code]);
}

it.skipIf(!closes || process.arch !== "x64")("a 32-bit program cannot create one either", async () => {
  const worlds = [await world(), await world({ socketsClosed: true })];
  const ends = worlds.map(async (here) => {
    writeFileSync(join(here.policy.cwd, "foreign"), foreignProgram(), { mode: 0o755 });
    return (await here.run("./foreign; echo $?")).output.trim().split("\n").at(-1);
  });
  const [free, closed] = await Promise.all(ends);
  if (free !== "42") console.warn(`This kernel runs no programs of 32 bits (${free})`);
  expect(closed).not.toBe("42");
});
