// A display that the user has configured: each operation is one of the user's commands. Only places that carry our mark at that moment are closed,
// labelled or shown, so a driver that confuses places harms none that is not ours.
import type { DriverCommands } from "../../settings/display-settings.ts";
import type { Display, DisplayError, DisplayHandle, OpenRequest } from "./display.ts";
import { type DriverAnswer, type DriverCall, type DriverEnd, type DriverInput, driverAnswer, driverSeconds } from "./display-driver.ts";

/** `commands`: none if the settings no longer have them; then nothing is asked, and every place counts as lost. */
export type Driver = { name: string; commands: Partial<DriverCommands> };

export type DriverPorts = {
  /** Runs a command of the person's with that text on its standard input. Never rejects. */
  run(command: string, request: { input: string; timeoutMs: number }): Promise<DriverEnd>;
  newMark(): string;
  /** What the driver is to start: the whole argument vector, with the environment. Throws DisplayError when that cannot run. */
  startOf(request: OpenRequest): string[];
};

type Asked<Call extends DriverCall> = { ok: true; answer: DriverAnswer[Call] } | { ok: false; why: string };

/** A command that the driver does not have is answered with nothing. */
export function askDriver({ commands }: Driver, { run }: Pick<DriverPorts, "run">) {
  return async <Call extends DriverCall>(call: Call, input: DriverInput[Call]): Promise<Asked<Call>> => {
    const command = commands[call];
    if (command === undefined) return { ok: true, answer: undefined as DriverAnswer[Call] };
    return driverAnswer(call, await run(command, { input: `${JSON.stringify(input)}\n`, timeoutMs: driverSeconds[call] * 1000 }));
  };
}

export function driverDisplay(driver: Driver, ports: DriverPorts): Display {
  const { name, commands } = driver;
  const ask = askDriver(driver, ports);
  const opened = new Set<string>();
  const must = async <Call extends DriverCall>(call: Call, input: DriverInput[Call]): Promise<DriverAnswer[Call]> => {
    const asked = await ask(call, input);
    if (asked.ok) return asked.answer;
    throw refusal(`The display "${name}" fails at "${call}": ${asked.why}. Try it: tool display test ${name}`);
  };
  const own = (handle: DisplayHandle) =>
    handle.kind === "driver" && handle.driver === name && commands.state !== undefined ? { id: handle.id, mark: handle.mark } : undefined;
  const state = async (handle: DisplayHandle) => {
    const place = own(handle);
    if (!place) return "server_gone";
    const answer = await must("state", place);
    if (answer.state === "lost") return "server_gone";
    return answer.state === "open" && answer.mark === place.mark ? "open" : "gone";
  };
  const ifOurs = async (handle: DisplayHandle, act: (place: { id: string; mark: string }) => Promise<unknown>) => {
    const place = own(handle);
    if (place && (await state(handle)) === "open") await act(place);
  };

  return {
    kind: "driver",
    async open(request) {
      const mark = ports.newMark();
      const { id } = await must("open", { name: request.name, mark, argv: ports.startOf(request), cwd: request.cwd });
      const taken = `The display "${name}" gave the id ${JSON.stringify(id)}`;
      if (opened.has(id)) throw refusal(`${taken} for two terminals. Try it: tool display test ${name}`);
      opened.add(id);
      const found = await must("state", { id, mark });
      if (found.state === "open" && found.mark !== mark)
        throw refusal(
          `${taken} of a terminal without our mark, which belongs to somebody else and is left alone. Try it: tool display test ${name}`,
        );
      return { kind: "driver", driver: name, id, mark };
    },
    state,
    async lastWords() {
      return ""; // what a place shows is not asked of a driver
    },
    label: (handle, text) => ifOurs(handle, (place) => must("label", { ...place, text: text.replace(/\p{C}/gu, " ") })),
    focus: (handle) => ifOurs(handle, (place) => must("focus", place)),
    close: (handle) => ifOurs(handle, (place) => must("close", place)),
    async dispose() {
      // Places close with their programs; what the driver itself keeps running is the person's.
    },
  };
}

function refusal(message: string): DisplayError {
  return Object.assign(new Error(message), { name: "DisplayError" as const });
}
