// Every way in which a place refuses or lies, with a command in memory: what the person is told, and that the command is let go.
import { expect, it } from "vitest";
import { markerOf } from "../../src/places/loader.ts";
import type { Place } from "../../src/places/place.ts";
import type { LinkEnd, PlacePorts } from "../../src/places/ports.ts";
import { refusalText } from "../../src/places/refusals.ts";
import { startHands } from "../../src/places/start-hands.ts";

const gpu: Place = { name: "gpu", command: ["ssh", "gpu1"], folder: "/scratch/me", env: { CI: "1" } };

type Script = { said: (string | Buffer)[]; words?: string; end?: LinkEnd };
const exit = (code: number, stderr = ""): LinkEnd => ({ kind: "exited", code, stderr });
const word = "tool-ab12";
const marker = (said: object) => `${markerOf(word)}${JSON.stringify(said)}\n`;
const loaded = marker({ node: "20.19.0", terminal: false });

/** A command that says these parts and then ends, or says nothing more. */
async function startedBy({ said, words = "", end }: Script) {
  const parts = said.map((part) => Buffer.from(part));
  const written: string[] = [];
  let killed = false;
  const ports: PlacePorts = {
    run: () => ({
      write: (bytes) => void written.push(bytes.toString()),
      next: () => (parts.length > 0 || end ? Promise.resolve(parts.shift()) : new Promise(() => {})),
      closeInput: () => {},
      onSaid: (tell) => words && tell(words),
      kill: () => {},
      end: () => {
        killed = true;
      },
      ended: Promise.resolve(end ?? exit(0)),
    }),
    program: () => ({ hash: "h1", bytes: () => Buffer.from("PROGRAM") }),
    secondStep: "STEP",
    newWord: () => word,
    monotonicMs: () => 0,
    pause: async () => undefined,
    sleep: () => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(undefined)))),
  };
  const delivered: unknown[] = [];
  const started = await startHands(gpu, ports, { words: ["hands"], limitMs: 30_000, deliver: (message) => delivered.push(message) });
  return { started, written, delivered, killed: () => killed };
}

const nodeSetting = '"places.gpu.node"';

it.each<[string, Script, string]>([
  [
    "is not on this machine",
    { said: [], end: { kind: "not started", reason: "spawn ssh ENOENT" } },
    'ssh could not be run: spawn ssh ENOENT. Correct "places.gpu.command"',
  ],
  [
    "has no Node",
    { said: [], end: exit(127, "bash: line 1: node: command not found\n") },
    `there is no node there (bash: line 1: node: command not found). Install Node 20.19 or later there, or give its path in ${nodeSetting}`,
  ],
  [
    "changes its arguments",
    { said: [], end: exit(2, "bash: -c: line 1: syntax error near unexpected token `('") },
    'its arguments arrived changed (bash: -c: line 1: syntax error near unexpected token `(\'). Set "places.gpu.arguments" to "joined" if the command joins them to one line for a shell, and else to "separate"',
  ],
  [
    "cannot be reached",
    { said: ["Welcome\n"], end: exit(255, "ssh: connect to host gpu1 port 22: Connection refused\n") },
    "its command ended before anything of ours ran: exit 255: ssh: connect to host gpu1 port 22: Connection refused. Run ssh gpu1 true by hand",
  ],
  [
    "waits for a password",
    { said: ["me@gpu1's password: "] },
    'its command has started nothing within 30 s but printed "me@gpu1\'s password:". It may wait for a password, a queue or an answer: run ssh gpu1 true by hand',
  ],
  [
    "has a queue",
    { said: [], words: "srun: job 7 queued and waiting for resources\n" },
    'its command has started nothing within 30 s but printed "srun: job 7 queued and waiting for resources". It may wait for a password, a queue or an answer: run ssh gpu1 true by hand',
  ],
  [
    "prints without end",
    { said: ["x".repeat(300_000)] },
    "it printed 300000 bytes before anything of ours ran. Remove what a shell prints at its start there",
  ],
  [
    "has an old Node",
    { said: [marker({ node: "18.20.4", terminal: false })] },
    `Node 18.20.4 is too old. Install 20.19 or later there, or name another one in ${nodeSetting}`,
  ],
  [
    "asks for a terminal",
    { said: [marker({ node: "22.1.0", terminal: true })] },
    'its command asks for a terminal, which changes what passes through. Remove -t, --tty, --pty or --unbuffered from "places.gpu.command"',
  ],
  [
    "lies in its first line",
    { said: [marker({ grant: "Bash" })] },
    'it answered "{\\"grant\\":\\"Bash\\"}", which is no message of ours. Something there prints among the output of programs',
  ],
  [
    "ends behind the marker",
    { said: [loaded], end: exit(137, "Killed") },
    "the link ended while the program was started: exit 137: Killed. Try again, and then: tool place test gpu",
  ],
  ["falls silent", { said: [loaded] }, "nothing came for 30 s while the program was started. Try again, and then: tool place test gpu"],
  [
    "has no room",
    { said: [loaded, '{"program":"missing"}\n', '{"refused":"no room","detail":"ENOSPC: no space left on device, write"}\n'] },
    'there is no room in /scratch/me: ENOSPC: no space left on device, write. Make room there, or name another one in "places.gpu.folder"',
  ],
  [
    "gives another user's folder",
    { said: [loaded, '{"refused":"folder","detail":"it belongs to user 7, and this is user 8"}\n'] },
    'the folder /scratch/me cannot be used: it belongs to user 7, and this is user 8. It must be yours alone (chmod go-w), or name another one in "places.gpu.folder"',
  ],
  [
    "damages what it is sent",
    { said: [loaded, '{"program":"missing"}\n', '{"refused":"damaged","detail":"its hash is another one"}\n'] },
    "the program arrived damaged: its hash is another one. Something on the way changes bytes: does the command ask for a terminal?",
  ],
])("a place that %s is refused, and let go", async (_what, script, reason) => {
  const { started, killed } = await startedBy(script);
  expect(started.ok ? "started" : refusalText(gpu, started.refusal)).toBe(`Cannot work at the place "gpu": ${reason}`);
  expect(killed() || script.end !== undefined).toBe(true);
});

it("startHands() skips what a shell prints, sends the program only where it is missing, and then frames pass", async () => {
  const frames = '{"from":1}\n{"n":1,"ack":0,"message":{"kind":"hi"}}\n';
  const there = await startedBy({ said: ["Welcome\nlast login", loaded.slice(0, 5), loaded.slice(5), '{"program":"there"}\n', frames] });
  const order = { folder: "/scratch/me", env: { CI: "1" }, words: ["hands"], program: "h1" };
  expect(there.started).toMatchObject({ ok: true, hands: { greeting: "Welcome\nlast login", sentBytes: 0, node: "20.19.0" } });
  expect(there.written).toEqual(["4\nSTEP", `${JSON.stringify(order)}\n`, '{"from":1}\n']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(there.delivered).toEqual([{ kind: "hi" }]);
  const missing = await startedBy({ said: [loaded, '{"program":"missing"}\n', '{"program":"there"}\n'] });
  expect(missing.written.slice(2)).toEqual(['{"size":7}\n', "PROGRAM", '{"from":1}\n']);
  expect(missing.started).toMatchObject({ ok: true, hands: { greeting: "", sentBytes: 7 } });
});

it.each([
  ["says what is no frame", "not a frame\n", 'it is no frame: "not a frame"'],
  ["repeats wrong numbers", '{"n":9,"ack":0,"message":1}\n', "message 9 came after 0"],
])("a place that %s once it works is let go", async (_what, line, fault) => {
  const { started, killed } = await startedBy({ said: [loaded, '{"program":"there"}\n', line] });
  expect(started.ok && (await started.hands.closed)).toBe(fault);
  expect(killed()).toBe(true);
});
