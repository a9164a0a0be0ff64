import { expect, it } from "vitest";
import { allowed, asked, builtInAsk, denied, inOrder, openAsk, pass, type Steps, type Verdict } from "../../../src/shell/judge/verdict.ts";

const rule = { text: "Bash(x)" };
const all: Required<Steps<Verdict>> = {
  deny: () => denied(rule)!,
  insist: () => builtInAsk("a hook asks"),
  grant: () => allowed(rule, "grant")!,
  ask: () => asked(rule)!,
  mode: () => ({ decision: "allow", by: "mode", reason: "the mode" }),
  allow: () => allowed(rule, "rule")!,
  otherwise: () => pass("the default"),
};

it("takes the first step of the order of precedence that says something", () => {
  const order = ["deny", "insist", "grant", "ask", "mode", "allow", "otherwise"] as const;
  const deciding = order.map((_, at) => {
    const silent = Object.fromEntries(order.slice(0, at).map((step) => [step, () => undefined]));
    return inOrder<Verdict>({ ...all, ...silent });
  });
  expect(deciding).toEqual(order.map((step) => all[step]()));
  expect(
    inOrder({ deny: () => undefined, ask: () => undefined, allow: () => undefined, otherwise: () => openAsk("No rule allows it") }),
  ).toEqual({
    decision: "ask",
    by: "default",
    reason: "No rule allows it",
  });
});

it("says nothing about no rule and no reason", () => {
  expect([denied(undefined), asked(undefined), allowed(undefined, "rule"), builtInAsk(undefined)]).toEqual(Array(4).fill(undefined));
  expect(denied({ text: "Read(a)", file: "/s.json" })).toEqual({
    decision: "deny",
    by: "rule",
    rule: "Read(a)",
    file: "/s.json",
    reason: "The rule Read(a) denies it",
  });
});
