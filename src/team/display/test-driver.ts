// The conformance test of a display driver: it opens real places with a real program in each, which reports its terminal, folder and arguments.
import type { Clock } from "../../agent/ports/clock.ts";
import type { DriverCall, DriverInput } from "./display-driver.ts";
import { askDriver, type Driver, type DriverPorts } from "./driver-display.ts";

/** `what`: a sentence that is true if the driver conforms. */
export type Check = { what: string; ok: true } | { what: string; ok: false; why: string };

export type TestPorts = DriverPorts & {
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  /** A folder of this test's own, with nothing in it. */
  folder: string;
  /** Undefined while there is no such file there. */
  read(name: string): string | undefined;
  isAlive(pid: number): boolean;
  /** The marker of all processes of this test. */
  owner: string;
};

/** Reports each check as soon as its result is known, and stops at a failure that makes the following checks meaningless. */
export async function testDriver(driver: Driver, ports: TestPorts, tell: (check: Check) => void): Promise<boolean> {
  let conforms = true;
  const check = (what: string, why: string | undefined) => {
    conforms &&= why === undefined;
    tell(why === undefined ? { what, ok: true } : { what, ok: false, why });
    return why === undefined;
  };
  const places = placesOf(driver, ports);
  const first = await places.open("ada", "stay");
  if (!check('"open" answers with an id', whyNot(first)) || !first.ok) return false;
  const found = await places.report("ada");
  if (!check("the program runs", found ? undefined : `it has written nothing within ${patienceMs / 1000} s`) || !found) return false;
  check("it has a terminal", found.terminal ? undefined : "its standard input is no terminal");
  check("it is in its folder", found.folder === ports.folder ? undefined : `it is in ${found.folder}`);
  check("its arguments arrive unchanged", found.argument === awkward ? undefined : `it got ${JSON.stringify(found.argument)}`);
  // Without the mark it may be somebody else's terminal, which must not be labelled or closed.
  if (!check('"state" finds the terminal with its mark', await places.unlessOpen(first))) return false;
  const second = await places.open("bo", "stay");
  if (!check("a second terminal opens beside it", whyNot(second)) || !second.ok) return false;
  const other = await places.report("bo");
  check("the second one has its own id", second.id === first.id ? `both have ${JSON.stringify(first.id)}` : undefined);
  if (!check("each has its own mark", (await places.unlessOpen(first)) ?? (await places.unlessOpen(second)))) return false;
  check('"label" takes any text', whyNot(await places.ask("label", { ...places.ref(first), text: awkward })));
  check('"focus" succeeds', whyNot(await places.ask("focus", places.ref(first))));
  check(
    '"state" of a terminal that does not exist is not one of ours',
    await places.whyStillOpen({ id: "no-such-place", mark: first.mark }),
  );
  await places.ask("close", { id: first.id, mark: second.mark });
  check('"close" leaves a terminal with another mark', (await places.unlessOpen(first)) ?? places.unlessAlive(found.pid));
  check('"close" succeeds', whyNot(await places.ask("close", places.ref(first))));
  check('"close" ends what runs there', await places.whyNotSoon(() => !ports.isAlive(found.pid), `process ${found.pid} is still running`));
  check('"state" says that the terminal is gone', await places.whyStillOpen(places.ref(first)));
  check("the other terminal is still open", (await places.unlessOpen(second)) ?? (other && places.unlessAlive(other.pid)));
  check('"close" of a terminal that is gone does no harm', whyNot(await places.ask("close", places.ref(first))));
  const third = await places.open("cy", "end");
  if (check("a third terminal opens", whyNot(third)) && third.ok) {
    check("a terminal is gone when its program has ended with 0", await places.whyStillOpen(places.ref(third)));
  }
  await places.ask("close", places.ref(second));
  check("the last terminal closes", await places.whyStillOpen(places.ref(second)));
  return conforms;
}

const patienceMs = 20_000;

/** Characters that shells and terminals tend to change. */
const awkward = `it's "quoted" $HOME \`x\` \\n * ; ü`;

/** Reports what it finds in a file, written atomically, and then stays or ends. */
const program = `t=no; [ -t 0 ] && t=yes; printf '%s\\n' "$$" "$t" "$(pwd -P)" "$3" > "$1.part"; mv "$1.part" "$1"; [ "$2" = end ] || exec sleep 600`;

type Opened = { ok: true; id: string; mark: string } | { ok: false; why: string };

const whyNot = (asked: { ok: true } | { ok: false; why: string }) => (asked.ok ? undefined : asked.why);

function placesOf(driver: Driver, ports: TestPorts) {
  const ask = askDriver(driver, ports);
  const ref = ({ id, mark }: { id: string; mark: string }) => ({ id, mark });
  const soon = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> => {
    for (const deadline = ports.clock.monotonicMs() + patienceMs; ; await ports.clock.sleep(50)) {
      const found = await look();
      if (found !== undefined || ports.clock.monotonicMs() >= deadline) return found;
    }
  };
  return {
    ask: <Call extends DriverCall>(call: Call, input: DriverInput[Call]) => ask(call, input),
    ref,
    async open(name: string, then: "stay" | "end"): Promise<Opened> {
      const mark = ports.newMark();
      const argv = ["/bin/sh", "-c", program, "sh", `${ports.folder}/${name}`, then, awkward];
      const start = ports.startOf({ name, argv, cwd: ports.folder, env: { TOOL_OWNER: ports.owner } });
      const asked = await ask("open", { name, mark, argv: start, cwd: ports.folder });
      return asked.ok ? { ok: true, id: asked.answer.id, mark } : asked;
    },
    report: (name: string) => soon(() => reportIn(ports.read(name))),
    /** Why the place is not open with its mark; undefined if it is. */
    async unlessOpen(place: { id: string; mark: string }): Promise<string | undefined> {
      const asked = await ask("state", ref(place));
      if (!asked.ok) return asked.why;
      if (asked.answer.state !== "open") return `it says ${JSON.stringify(asked.answer)}`;
      return asked.answer.mark === place.mark
        ? undefined
        : `it says the mark ${JSON.stringify(asked.answer.mark)}, and it must be ${JSON.stringify(place.mark)}`;
    },
    /** Why the place still counts as open and ours after waiting for its end; undefined if it does not. */
    async whyStillOpen(place: { id: string; mark: string }): Promise<string | undefined> {
      let said = "";
      const closed = await soon(async () => {
        const asked = await ask("state", place);
        said = asked.ok ? `it says ${JSON.stringify(asked.answer)}` : asked.why;
        return asked.ok && !(asked.answer.state === "open" && asked.answer.mark === place.mark) ? true : undefined;
      });
      return closed ? undefined : said;
    },
    unlessAlive: (pid: number) => (ports.isAlive(pid) ? undefined : `process ${pid} has ended`),
    whyNotSoon: async (isSo: () => boolean, why: string) => ((await soon(() => isSo() || undefined)) ? undefined : why),
  };
}

function reportIn(text: string | undefined) {
  if (text === undefined) return undefined;
  const [pid = "", terminal = "", folder = "", ...argument] = text.replace(/\n$/, "").split("\n");
  return { pid: Number(pid), terminal: terminal === "yes", folder, argument: argument.join("\n") };
}
