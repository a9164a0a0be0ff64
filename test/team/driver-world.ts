// A terminal program in memory, and a driver of it that keeps the contract except for the given faults.
import type { DriverEnd } from "../../src/team/display/display-driver.ts";
import type { Driver, DriverPorts } from "../../src/team/display/driver-display.ts";
import type { TestPorts } from "../../src/team/display/test-driver.ts";

type Input = { id: string; mark: string; argv: string[]; cwd: string; text: string };
export type Answers = Partial<Record<"open" | "state" | "focus" | "label" | "close", (input: Input, world: DriverWorld) => DriverEnd>>;

export type Place = { mark: string; pid: number; argv: string[] };
export type DriverWorld = {
  places: Map<string, Place>;
  labels: string[];
  /** Every call in order, as `close 1`. */
  calls: string[];
  driver: Driver;
  ports: TestPorts;
};

export const printed = (answer: unknown): DriverEnd => ({ kind: "exited", code: 0, stdout: JSON.stringify(answer), stderr: "" });

export function driverWorld(faults: Answers = {}): DriverWorld {
  const files = new Map<string, string>();
  const alive = new Set<number>();
  const labels: string[] = [];
  let count = 0;
  let now = 0;
  let marks = 0;
  const places = new Map<string, Place>();
  const world: DriverWorld = { places, labels, calls: [], driver: { name: "demo", commands: commandsOf() }, ports: portsOf() };
  const ours = ({ id, mark }: Input) => places.get(id)?.mark === mark;
  const answers: Required<Answers> = {
    open({ mark, argv, cwd }) {
      const [pid, id] = [++count + 100, String(count)];
      const [file = "", then, argument] = argv.slice(argv.indexOf("sh") + 1);
      files.set(file, `${pid}\nyes\n${cwd}\n${argument}\n`);
      if (then !== "end") {
        places.set(id, { mark, pid, argv });
        alive.add(pid);
      }
      return printed({ id });
    },
    state: ({ id }) => printed(places.has(id) ? { state: "open", mark: places.get(id)?.mark } : { state: "gone" }),
    focus: () => printed({}),
    label(input) {
      if (ours(input)) labels.push(input.text);
      return printed({});
    },
    close(input) {
      if (ours(input)) alive.delete(places.get(input.id)?.pid ?? 0);
      if (ours(input)) places.delete(input.id);
      return printed({});
    },
  };
  return world;

  function portsOf(): TestPorts {
    const ports: DriverPorts = {
      async run(command, { input }) {
        const call = command as keyof Answers;
        const given = JSON.parse(input) as Input;
        world.calls.push(`${call} ${given.id ?? ""}`.trim());
        return (faults[call] ?? answers[call])(given, world);
      },
      newMark: () => `mark-${++marks}`,
      startOf: ({ argv }) => argv,
    };
    const clock = {
      monotonicMs: () => now,
      async sleep(ms: number) {
        now += ms;
      },
    };
    return { ...ports, clock, folder: "/t", read: (name) => files.get(`/t/${name}`), isAlive: (pid) => alive.has(pid), owner: "o" };
  }
}

const commandsOf = () => ({ open: "open", state: "state", focus: "focus", label: "label", close: "close" });
