// Tries a place against the contract, on the real thing: step by step, and for each that fails what to do. A step that makes the following
// ones meaningless ends the test.
import { callHands } from "./call-hands.ts";
import { type Findings, findingsSchema } from "./messages.ts";
import { argvAt, joinsArguments, type Place } from "./place.ts";
import type { PlacePorts } from "./ports.ts";
import { readingOf } from "./reading.ts";
import { endText, refusalText } from "./refusals.ts";
import { type Hands, startHands, startLoader } from "./start-hands.ts";

/** `what` is a sentence that is true if it holds. A `note` is something to know that is no fault. */
export type PlaceCheck = { what: string; state: "holds" } | { what: string; state: "note" | "fails"; why: string };

type Tell = (check: PlaceCheck) => void;

/** Whether the place can be used. `version`: of this program. */
export async function testPlace(place: Place, { version, ...ports }: PlacePorts & { version: string }, report: Tell): Promise<boolean> {
  let usable = true;
  const tell: Tell = (check) => {
    usable &&= check.state !== "fails";
    report(check);
  };
  const check = (what: string, why: string | undefined) => {
    tell(why === undefined ? { what, state: "holds" } : { what, state: "fails", why });
    return why === undefined;
  };
  if (!check("its arguments arrive unchanged", await whyChanged(place, ports))) return false;
  const calls = callHands({});
  const started = await startHands(place, ports, { words: ["hands", "--link"], limitMs, deliver: calls.deliver });
  if (!check("the program starts there", started.ok ? undefined : refusalText(place, started.refusal)) || !started.ok) return false;
  const { hands } = started;
  calls.connect(hands.channel);
  const ask: Ask = (member, args) =>
    Promise.race([calls.call(member, args).catch(() => undefined), hands.closed.then(() => undefined), ports.sleep(limitMs)]);
  notes(hands, tell);
  const findings = findingsSchema.safeParse(await ask("look", null)).data;
  if (!check("it answers", findings ? undefined : await whySilent(hands, ports)) || !findings) return leave(hands);
  check("it is of this version", findings.version === version ? undefined : `it says ${findings.version}, and this is ${version}`);
  look(place, findings, { check, tell });
  check("1 MiB passes each way", await whyNotEchoed(ask, mebibyte));
  check("what passes stays as it is", await whyNotEchoed(ask, awkward));
  tell({ what: "round trip", state: "note", why: `${(await roundTripMs(ask, ports)).toFixed(1)} ms` });
  check("the program ends with its input", await whyNotEnded(place, hands, ports));
  check("a command that is killed leaves nothing in the way", await whyNotAgain(place, ports));
  return usable;
}

const limitMs = 30_000;
const endMs = 10_000;
const mebibyte = "0123456789abcdef".repeat(65_536);
/** Characters that shells and terminals tend to change. */
const awkward = 'it\'s "quoted" $HOME `x` \\n * ; ü \u0003\u0004\u001b[0m\r\t';
/** Of those, what is on a command line of ours. */
const onCommandLine = '"q" $HOME `x` * ; (a){b}<c>&|# ~';

async function whySilent({ link, closed }: Hands, { sleep }: PlacePorts): Promise<string> {
  const fault = await Promise.race([closed.then((why) => why ?? link.ended.then(endText)), sleep(1_000)]);
  return fault ?? `nothing came within ${limitMs / 1000} s`;
}

function leave(hands: Hands): false {
  hands.link.end();
  return false;
}

/** With the means of a shell alone: before anything of ours is needed. */
async function whyChanged(place: Place, ports: PlacePorts): Promise<string | undefined> {
  const tried = await printed(place, ports);
  if (tried.ok) return undefined;
  const other = joinsArguments(place) ? "separate" : "joined";
  const again = await printed({ ...place, arguments: other }, ports);
  return again.ok ? `they do if they are ${other}. Set "places.${place.name}.arguments" to "${other}"` : tried.why;
}

async function printed(place: Place, ports: PlacePorts): Promise<{ ok: true } | { ok: false; why: string }> {
  const [begin, end] = [ports.newWord(), ports.newWord()];
  const link = ports.run(argvAt(place, ["printf", "%s", `${begin}${onCommandLine}${end}`]));
  const reading = readingOf(link, ports);
  const found = await reading.until(`${begin}${onCommandLine}${end}`, { ms: limitMs, bytes: 256 * 1024 });
  if (found.kind === "late") link.end();
  link.closeInput();
  if (found.kind === "got") return { ok: true };
  if (found.kind !== "ended") {
    const why = refusalText(place, { kind: "silent", afterMs: limitMs, printed: reading.rest() });
    return { ok: false, why };
  }
  const ended = await link.ended;
  const failed = ended.kind !== "exited" || ended.code !== 0;
  const why = failed
    ? refusalText(place, { kind: "not reached", end: ended })
    : `printf printed ${JSON.stringify(reading.rest().slice(0, 200))}`;
  return { ok: false, why };
}

function notes({ greeting, sentBytes, node }: Hands, tell: Tell): void {
  const shown = greeting.trim();
  if (shown !== "") tell({ what: "a shell prints before", state: "note", why: `${Buffer.byteLength(shown)} bytes, which are skipped` });
  const why = sentBytes === 0 ? "it was there" : `${Math.ceil(sentBytes / 1024)} KiB were sent, once for each version`;
  tell({ what: "the program", state: "note", why: `${why}; Node ${node}` });
}

type Said = { check: (what: string, why: string | undefined) => boolean; tell: Tell };

function look({ name }: Place, { git, sandbox }: Findings, { check, tell }: Said): void {
  check("git is there", git === "found" ? undefined : `${git.missing}. Install git 2.31 or later there`);
  const what = "commands can be sandboxed";
  if (sandbox === "works") tell({ what, state: "holds" });
  else tell({ what, state: "note", why: `${sandbox.missing}. Install bubblewrap at ${name}; without it, rules count as written` });
}

/** Undefined if the link has ended, or nothing has come in time. */
type Ask = (member: string, args: unknown) => Promise<unknown>;

async function whyNotEchoed(ask: Ask, text: string): Promise<string | undefined> {
  const answer = await ask("echo", text);
  if (answer === undefined) return `it did not come back within ${limitMs / 1000} s. Does the command ask for a terminal?`;
  return answer === text ? undefined : "it came back changed. Does the command ask for a terminal?";
}

async function roundTripMs(ask: Ask, { monotonicMs }: PlacePorts): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const from = monotonicMs();
    await ask("echo", "");
    times.push(monotonicMs() - from);
  }
  return times.toSorted((a, b) => a - b)[10]!;
}

async function whyNotEnded({ name }: Place, { link }: Hands, { sleep }: PlacePorts): Promise<string | undefined> {
  link.closeInput();
  const ended = await Promise.race([link.ended, sleep(endMs)]);
  if (!ended) link.end();
  if (!ended)
    return `its command still runs ${endMs / 1000} s later. It must pass on the end of its input (podman and kubectl: -i): correct "places.${name}.command"`;
  return ended.kind === "exited" && ended.code === 0 ? undefined : endText(ended);
}

async function whyNotAgain(place: Place, ports: PlacePorts): Promise<string | undefined> {
  for (const last of [false, true]) {
    const loaded = await startLoader(place, ports, { limitMs });
    if (!loaded.ok) return refusalText(place, loaded.refusal);
    if (last) loaded.link.closeInput();
    else loaded.link.end();
    await loaded.link.ended;
  }
  return undefined;
}
