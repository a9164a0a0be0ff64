import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { noUsage } from "../../../src/agent/usage.ts";
import { createAgentsView } from "../../../src/screen/agents/agents-view.ts";
import { createStyle } from "../../../src/screen/style.ts";
import type { AgentRecord } from "../../../src/subagents/record.ts";
import { aRecord } from "../../subagents/kit.ts";
import { said, sessionScreen } from "../session-kit.ts";

const ctrlO = "\x0f";
const nowMs = Date.parse("2026-01-02T03:05:06.000Z");

function screenWithAgents(records: AgentRecord[], size: { columns: number; rows: number } = { columns: 80, rows: 24 }) {
  const view = createAgentsView({
    style: createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" }),
    now: () => 0,
    nowMs: () => nowMs,
    list: () => records,
  });
  const happened: string[] = [];
  const shown = sessionScreen({ ...size, agents: () => view, onEmptyEnter: () => happened.push("answer") > 0 });
  return { ...shown, view, happened };
}

const running = (id: string, description = "look at a") => aRecord({ id, name: id, description, state: "running" });
const ended = (report: string): AgentEvent => ({
  type: "agent_ended",
  agent: "a-1",
  name: "ada",
  description: "look at a",
  state: "completed",
  report,
  turns: 2,
  usage: noUsage,
  costUsd: 0,
  model: "m",
  ms: 4_000,
  at: "",
});

describe("agents that work side by side", () => {
  it("have a row each, ten of them within ten rows", async () => {
    const records = Array.from({ length: 10 }, (_, n) => running(`ada-${n}`));
    const { view, screen, tick, shown } = screenWithAgents(records);
    for (const record of records) view.apply(record, said.started("c1", "Bash", "npm test"));
    screen.refresh();
    tick();
    const rows = await shown();
    expect(rows.slice(0, 10)).toEqual(
      records.map(({ id }) => `  ${id}  look at a  ▶ Bash npm test                            0 turns  0  1m01s`),
    );
    expect(rows).toHaveLength(14);
  });

  it("show their newest output below them, one after the other with Ctrl-O", async () => {
    const records = [running("ada"), running("bo")];
    const { view, screen, tick, type, shown } = screenWithAgents(records);
    for (const record of records) {
      view.apply(record, said.started("c1", "Bash", "npm test"));
      view.apply(record, said.wrote("c1", `${record.id} writes\n`));
    }
    screen.refresh();
    tick();
    const marks = async () => (await shown()).flatMap((line) => /^ {2}(ada|bo) |(?:ada|bo) writes/.exec(line)?.[0].trim() ?? []);
    const seen = [await marks()];
    for (let press = 0; press < 3; press++) {
      type(ctrlO);
      tick();
      seen.push(await marks());
    }
    expect(seen).toEqual([
      ["ada", "bo"],
      ["ada", "ada writes", "bo"],
      ["ada", "bo", "bo writes"],
      ["ada", "bo"],
    ]);
  });

  it("give no room to a call that waits for one of them, and Enter answers one that asks", async () => {
    const records = [aRecord({ state: "needs_permission", missing: ["Bash(npm publish)"] })];
    const { screen, tick, type, shown, happened } = screenWithAgents(records);
    screen.show(said.started("c1", "Agent", "general: look at a"));
    tick();
    type("\r");
    expect([(await shown())[0], happened]).toEqual([
      "  ada  look at a  ! asks: npm publish                              Enter answers",
      ["answer"],
    ]);
  });
});

describe("the end of an agent", () => {
  it("names no key that works no more, when it ends with the session", async () => {
    const { screen, tick, lines } = screenWithAgents([]);
    screen.leaving();
    screen.show(ended("One.\n\nTwo.\n\nThree.\n"));
    tick();
    expect((await lines())[4]).toBe("         … 2 more lines (Ctrl-O, once resumed)");
  });

  it("is printed once, with the beginning of its report, and the rest with Ctrl-O", async () => {
    const { screen, tick, type, lines } = screenWithAgents([]);
    const report = "## Dates\n\n**Three** places:\n\n- one\n- two\n- three\n";
    screen.show(ended(report));
    screen.show(said.ended("c1", { name: "Agent", text: `${report}\n\n[agent a-1, completed]` }));
    screen.show({ type: "input", inputs: [{ source: { kind: "agent", agent: "a-1", run: 1 }, text: report, shown: "" }], at: "" });
    tick();
    const row = "  ada (a-1)  look at a  ✓ completed                               2 turns  0  4s";
    const printed = [row, "         Dates", "", "         Three places:", "         … 4 more lines (Ctrl-O)"];
    expect((await lines()).slice(0, 5)).toEqual(printed);
    type(ctrlO);
    tick();
    expect((await lines()).slice(5, 14)).toEqual([
      "",
      "  ada",
      "         Dates",
      "",
      "         Three places:",
      "",
      "         • one",
      "         • two",
      "         • three",
    ]);
  });
});
