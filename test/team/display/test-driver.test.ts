// The conformance test for drivers detects each fault: the check concerned fails.
import { expect, it } from "vitest";
import { type Check, testDriver } from "../../../src/team/display/test-driver.ts";
import { type Answers, driverWorld, printed } from "../driver-world.ts";

async function failures(faults: Answers): Promise<string[]> {
  const { driver, ports } = driverWorld(faults);
  const checks: Check[] = [];
  const conforms = await testDriver(driver, ports, (check) => checks.push(check));
  expect([conforms, checks.length > 0]).toEqual([checks.every(({ ok }) => ok), true]);
  return checks.flatMap((check) => (check.ok ? [] : `${check.what}: ${check.why}`));
}

it("a driver that keeps the contract conforms, one without focus and label too", async () => {
  expect(await failures({})).toEqual([]);
  const { driver, ports } = driverWorld();
  const { open, state, close } = driver.commands;
  expect(await testDriver({ name: "demo", commands: { open, state, close } }, ports, () => {})).toBe(true);
});

const hangs = () => ({ kind: "timed_out" }) as const;

it.each<[string, Answers, unknown[]]>([
  ["hangs when it opens", { open: hangs }, ['"open" answers with an id: it did not end within 20 s']],
  ["starts nothing", { open: () => printed({ id: "9" }) }, ["the program runs: it has written nothing within 20 s"]],
  [
    "says the mark that it was asked about",
    {
      state: ({ id, mark }, { places }) => printed(places.has(id) || id === "no-such-place" ? { state: "open", mark } : { state: "gone" }),
    },
    [expect.stringContaining('"state" of a terminal that does not exist is not one of ours: it says')],
  ],
  [
    "never closes",
    { close: () => printed({}) },
    [
      '"close" ends what runs there: process 101 is still running',
      expect.stringContaining('"state" says that the terminal is gone: it says'),
      expect.stringContaining("the last terminal closes: it says"),
    ],
  ],
  [
    "closes without a look at the mark",
    {
      close({ id }, { places }) {
        places.delete(id);
        return printed({});
      },
    },
    expect.arrayContaining(['"close" leaves a terminal with another mark: it says {"state":"gone"}']) as never,
  ],
  [
    "closes everything",
    {
      close({ id, mark }, { places }) {
        if (places.get(id)?.mark === mark) places.clear();
        return printed({});
      },
    },
    expect.arrayContaining(['the other terminal is still open: it says {"state":"gone"}']) as never,
  ],
  [
    "cannot label",
    { label: () => ({ kind: "exited", code: 2, stdout: "", stderr: "no titles" }) },
    ['"label" takes any text: it ended with 2: no titles'],
  ],
])("one that %s does not conform", async (_, faults, said) => {
  expect(await failures(faults)).toEqual(said);
});

it.each([1, 2])("labels and closes nothing when the terminal that was opened as number %i is somebody else's", async (number) => {
  const { driver, ports, places, calls } = driverWorld();
  places.set("7", { mark: "somebody's", pid: 1, argv: [] });
  let opened = 0;
  const run: typeof ports.run = async (command, request) => {
    const end = await ports.run(command, request);
    return command === "open" && ++opened === number ? printed({ id: "7" }) : end;
  };
  const checks: Check[] = [];
  expect(await testDriver(driver, { ...ports, run }, (check) => checks.push(check))).toBe(false);
  expect(checks.at(-1)).toMatchObject({ ok: false, why: expect.stringContaining(`it says the mark "somebody's"`) });
  expect(calls.filter((call) => /^(?:label|focus|close)/.test(call))).toEqual([]);
});
