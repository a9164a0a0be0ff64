// Which calls are begun before home knows that they are allowed, and that none runs that is not.
import { expect, it } from "vitest";
import { decisions, earlyRuns } from "../../../src/app/places/early-runs.ts";

const call = { id: "toolu_1", tool: "Read", input: { path: "a.txt" } };
const never = new AbortController().signal;

it.each<[typeof call, boolean]>([
  [call, true],
  [{ ...call, tool: "Grep" }, true],
  [{ ...call, id: "" }, false],
  ...["Write", "Edit", "Bash", "BashOutput", "KillBash", "WebFetch"].map((tool) => [{ ...call, tool }, false] as [typeof call, boolean]),
])("isOne() of %j is %j", (one, is) => {
  expect(earlyRuns().isOne(one)).toBe(is);
});

it("take() gives what was begun once, and only to the very same call", async () => {
  const early = earlyRuns();
  const said = Promise.resolve("said");
  early.begin(call, said, never);
  expect(early.take("toolu_2", call.input)).toBe(undefined);
  expect(await early.take(call.id, { path: "a.txt" })).toBe("said");
  expect(early.take(call.id, call.input)).toBe(undefined);
  early.begin(call, said, never);
  expect(early.take(call.id, { path: "b.txt" })).toBe(undefined);
});

it("take() has nothing of a call that was not allowed or was stopped", () => {
  const early = earlyRuns();
  early.begin(call, Promise.reject(new Error("not allowed")), never);
  early.drop(call.id);
  expect(early.take(call.id, call.input)).toBe(undefined);
  const stopped = new AbortController();
  early.begin(call, Promise.reject(new Error("stopped")), stopped.signal);
  stopped.abort();
  expect(early.take(call.id, call.input)).toBe(undefined);
});

it.each([
  ["allowed", call, Promise.resolve(true), true],
  ["refused", call, Promise.resolve(false), false],
  ["of another input", { ...call, input: { path: "b.txt" } }, Promise.resolve(true), false],
  ["of another tool", { ...call, tool: "Bash" }, Promise.resolve(true), false],
  ["that nobody has asked about", { ...call, id: "toolu_2" }, Promise.resolve(true), false],
])("allows() a call %s once at most", async (_what, asked, allowed, is) => {
  const noted = decisions();
  noted.note(call, allowed);
  expect(await noted.allows(asked)).toBe(is);
  expect(await noted.allows(asked)).toBe(false);
});

it("allows() waits for the decision, and fails as it does", async () => {
  const noted = decisions();
  noted.note(call, Promise.reject(new Error("the settings cannot be read")));
  await expect(noted.allows(call)).rejects.toThrow("the settings cannot be read");
});
