// docs/hooks.md: its settings are valid, its program does what the page says, its tables match the code.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runHook } from "../../src/edge/processes/run-hook.ts";
import { type EventRow, events } from "../../src/hooks/events.ts";
import { hookEvents } from "../../src/settings/hook-settings.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { programFolder, scratchFolder } from "../scratch.ts";

const page = readFileSync("docs/hooks.md", "utf8");
const block = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";

it("has settings that are valid", () => {
  expect(parseSettings(block("json"), "docs")).toMatchObject({ ok: true });
});

it("has a hook that refuses what the text says, and nothing else", async () => {
  const folder = scratchFolder();
  const program = join(programFolder(), "no-push");
  writeFileSync(program, block("bash"), { mode: 0o755 });
  const end = (command: string) =>
    runHook({
      command: program,
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "" },
      input: JSON.stringify({ tool_name: "Bash", tool_input: { command } }),
      timeoutMs: 30_000,
      signal: new AbortController().signal,
    });
  expect([await end("git push origin main"), await end("git status")]).toMatchObject([
    { code: 2, stderr: "Pushing is for people.\n" },
    { code: 0, stderr: "" },
  ]);
});

it("names every event and whether it can be blocked", () => {
  const table = page.slice(page.indexOf("## Events"), page.indexOf("## What a hook runs as")).split("\n");
  const rows = table
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .flatMap(([, names = "", , blocking]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, blocking !== "–"] as const));
  const rowOf = (event: keyof typeof events): EventRow => events[event];
  expect(rows).toEqual(hookEvents.map((event) => [event, rowOf(event).blocks !== undefined]));
});
