import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustedSettings } from "../../src/app/trust.ts";
import type { World } from "../../src/app/world.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { createStyle } from "../../src/screen/style.ts";
import type { Pane } from "../../src/screen/terminal/pane.ts";
import { scratchFolder } from "../scratch.ts";

/** A session that starts in a repository whose settings allow a command; `answer` is what the person says to the question. */
function start({ problem, answer = true }: { problem?: string; answer?: boolean }) {
  const root = scratchFolder();
  const cwd = join(root, "repo");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(cwd, ".tool"));
  writeFileSync(join(cwd, ".tool/settings.json"), '{"permissions":{"allow":["Bash(make test)"]}}');
  const printed: string[] = [];
  let questions = 0;
  const pane = {
    print: (text: string) => printed.push(text),
    warn: (text: string) => printed.push(text),
    question: async () => {
      questions++;
      return answer;
    },
  } as unknown as Pane;
  const world = {
    env: {},
    command: "tool",
    cwd,
    home: join(root, "home"),
    configDir: join(root, "home/.tool"),
    managedSettings: [],
    edges: { disk: async () => disk, clock: async () => clock, modelProblem: async () => problem },
  } as unknown as World;
  const place = { world, pane, style: createStyle({ NO_COLOR: "1" }, () => []), ending: new AbortController(), declined: {} };
  return { settings: () => trustedSettings(place, {}), printed, questions: () => questions };
}

describe("trustedSettings()", () => {
  it("asks whether the person trusts the repository, once, and remembers a yes", async () => {
    const { settings, printed, questions } = start({});
    expect((await settings()).trust).toEqual({ state: "trusted" });
    expect(printed.join("\n")).toContain("Bash(make test)");
    await settings();
    expect(questions()).toBe(1);
  });

  it("leaves the settings as they are after a no, and does not ask again", async () => {
    const { settings, questions } = start({ answer: false });
    expect((await settings()).trust).toMatchObject({ state: "untrusted" });
    await settings();
    expect(questions()).toBe(1);
  });

  it("asks and prints nothing if no model could answer, whatever the person said", async () => {
    const { settings, printed, questions } = start({ problem: "There is no API key." });
    await expect(settings()).rejects.toThrow("There is no API key. Nothing was started.");
    expect({ printed, questions: questions() }).toEqual({ printed: [], questions: 0 });
  });
});
