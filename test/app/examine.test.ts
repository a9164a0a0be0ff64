// What `tool doctor` says of the sandbox, from the trial that a session goes by as well.
import { expect, it } from "vitest";
import { sandboxFinding } from "../../src/app/examine.ts";

it.each([
  [{ kind: "works" }, {}, "fine: commands run in it, without network"],
  [{ kind: "works" }, { network: true }, "fine: commands run in it, with the network"],
  [{ kind: "works" }, { enabled: false }, "weak: your settings turn it off"],
  [{ kind: "missing", why: "sandbox-exec was not found on PATH" }, {}, "weak: sandbox-exec was not found on PATH"],
  [{ kind: "missing", why: "bwrap was not found on PATH" }, { required: true }, "broken: bwrap was not found on PATH"],
] as const)("of %j under the settings %j it says %s", (trial, own, said) => {
  const { what, state, text } = sandboxFinding(trial, own);
  expect([what, `${state}: ${text}`]).toEqual(["sandbox", said]);
});
