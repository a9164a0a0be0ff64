// A display that the user provides: the meaning of each exit code, and that nothing without our mark is touched.
import { describe, expect, it } from "vitest";
import { driverAnswer } from "../../../src/team/display/display-driver.ts";
import { driverDisplay } from "../../../src/team/display/driver-display.ts";
import { driverWorld, printed } from "../driver-world.ts";

const request = { name: "ada", argv: ["/bin/true"], cwd: "/t", env: {} };

describe("driverAnswer()", () => {
  const exited = (stdout: string, code = 0, stderr = "") => ({ kind: "exited", code, stdout, stderr }) as const;

  it.each([
    [{ kind: "timed_out" } as const, "it did not end within 10 s"],
    [{ kind: "killed", by: "SIGSEGV" } as const, "it was ended by SIGSEGV"],
    [{ kind: "failed", reason: "no bash" } as const, "it cannot be run: no bash"],
    [exited("", 3, "first\nno socket\n"), "it ended with 3: no socket"],
    [exited(""), 'it printed nothing, and must print {"state": "open", "mark": "…"}, {"state": "gone"} or {"state": "lost"}'],
    [exited("yes"), expect.stringContaining('it printed "yes", and must print')],
    [exited('{"state":"open"}'), expect.stringContaining("must print")],
    [exited('{"state":"perhaps"}'), expect.stringContaining("must print")],
    [exited(`"${"x".repeat(9_000)}`), expect.stringMatching(/^it printed .{0,120}, and must print/)],
  ])("%j is not an answer", (end, why) => {
    expect(driverAnswer("state", end)).toEqual({ ok: false, why });
  });

  it("accepts any output of calls without a result", () => {
    expect(driverAnswer("label", exited("garbage"))).toMatchObject({ ok: true });
  });

  it.each(['{"id":""}', '{"id":1}', `{"id":"${"x".repeat(501)}"}`])("%s is not an id", (stdout) => {
    expect(driverAnswer("open", exited(stdout))).toMatchObject({ ok: false });
  });
});

describe("driverDisplay()", () => {
  it("opens, labels without control characters, shows and closes a place that has its mark", async () => {
    const world = driverWorld();
    const display = driverDisplay(world.driver, world.ports);
    const handle = await display.open(request);
    expect(handle).toEqual({ kind: "driver", driver: "demo", id: "1", mark: "mark-1" });
    expect(await display.state(handle)).toBe("open");
    await display.label(handle, "ada\u001b]0;x\u0007");
    expect(world.labels).toEqual(["ada ]0;x "]);
    await display.focus?.(handle);
    await display.close(handle);
    expect([await display.state(handle), world.places.size]).toEqual(["gone", 0]);
  });

  it("touches no place whose mark has changed", async () => {
    const world = driverWorld();
    const display = driverDisplay(world.driver, world.ports);
    const handle = await display.open(request);
    world.places.set("1", { mark: "somebody's", pid: 1, argv: [] });
    world.calls.length = 0;
    await display.label(handle, "x");
    await display.focus?.(handle);
    await display.close(handle);
    expect([await display.state(handle), world.calls, world.places.size]).toEqual([
      "gone",
      ["state 1", "state 1", "state 1", "state 1"],
      1,
    ]);
  });

  it("refuses somebody else's place, and one that it has already, and closes neither", async () => {
    const foreign = driverWorld({ open: () => printed({ id: "7" }) });
    foreign.places.set("7", { mark: "somebody's", pid: 1, argv: [] });
    await expect(driverDisplay(foreign.driver, foreign.ports).open(request)).rejects.toMatchObject({
      name: "DisplayError",
      message: expect.stringContaining('gave the id "7" of a terminal without our mark, which belongs to somebody else and is left alone.'),
    });
    const same = driverWorld({
      open({ mark }, { places }) {
        if (!places.has("7")) places.set("7", { mark, pid: 1, argv: [] });
        return printed({ id: "7" });
      },
    });
    const display = driverDisplay(same.driver, same.ports);
    await display.open(request);
    await expect(display.open(request)).rejects.toThrow('gave the id "7" for two terminals');
    expect([foreign.calls, same.calls].flat().filter((call) => call.startsWith("close"))).toEqual([]);
  });

  it("says which command fails and how to try it, and closes nothing that it cannot look at", async () => {
    let hangs = false;
    const world = driverWorld({
      state: ({ id }, { places }) => (hangs ? { kind: "timed_out" } : printed({ state: "open", mark: places.get(id)?.mark })),
    });
    const display = driverDisplay(world.driver, world.ports);
    const handle = await display.open(request);
    hangs = true;
    const said = 'The display "demo" fails at "state": it did not end within 10 s. Try it: tool display test demo';
    await expect(display.state(handle)).rejects.toMatchObject({ name: "DisplayError", message: said });
    await expect(display.close(handle)).rejects.toThrow(said);
    expect([world.calls.includes("close 1"), world.places.size]).toEqual([false, 1]);
  });

  it("counts a place of another or removed display as lost", async () => {
    const { driver, ports, calls } = driverWorld();
    const handle = { kind: "driver", driver: "demo", id: "1", mark: "m" } as const;
    const none = driverDisplay({ ...driver, commands: {} }, ports);
    expect(await none.state(handle)).toBe("server_gone");
    expect(await driverDisplay({ ...driver, name: "other" }, ports).state(handle)).toBe("server_gone");
    await none.close(handle);
    expect(calls).toEqual([]);
  });
});
