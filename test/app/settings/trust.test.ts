// Whether a repository's settings are trusted: who is asked, what is remembered, and what is printed where nobody can be asked.
import { describe, expect, it } from "vitest";
import { openSettings } from "../../../src/app/settings/open-settings.ts";
import { editRules } from "../../../src/app/settings/permissions-edit.ts";
import { settingsNotices, trustedSettings } from "../../../src/app/settings/trust.ts";
import { createStyle } from "../../../src/screen/style.ts";
import type { Pane } from "../../../src/screen/terminal/pane.ts";
import { permissionLines, permissionList } from "../../../src/settings/permission-list.ts";
import { type MemoryWorldSetup, memoryWorld } from "../memory-world.ts";

const asking = JSON.stringify({ permissions: { allow: ["Bash(npm test)"] } });

function place({
  answer,
  files = { "/repo/.git/HEAD": "", "/repo/.tool/settings.json": asking },
  ...setup
}: MemoryWorldSetup & { answer?: boolean | undefined } = {}) {
  const memory = memoryWorld({ files, ...setup });
  const said: string[] = [];
  let asked = 0;
  const pane = {
    print: (text: string) => said.push(text),
    warn: (text: string) => said.push(text),
    question: async () => {
      asked++;
      return answer;
    },
  } as unknown as Pane;
  const declined: { hash?: string } = {};
  const ask = () =>
    trustedSettings({ world: memory.world, pane, style: createStyle({ NO_COLOR: "1" }), ending: new AbortController(), declined }, {});
  return { ...memory, said, ask, asked: () => asked, declined };
}

describe("trustedSettings()", () => {
  it("asks about what the settings allow, remembers a yes, and has it take effect", async () => {
    const { ask, asked, said } = place({ answer: true });
    const settings = await ask();
    expect([settings.trust.state, settings.effective.rules.allow.map(({ text }) => text)]).toEqual(["trusted", ["Bash(npm test)"]]);
    expect(said.join("\n")).toContain("Bash(npm test)");
    expect([(await ask()).trust.state, asked()]).toEqual(["trusted", 1]);
  });

  it("ends the start where the question is left without an answer", async () => {
    const { ask } = place({ answer: undefined });
    await expect(ask()).rejects.toThrow("Interrupted, before you said whether to trust this repository. Nothing was started.");
  });

  it("holds them back after a no, and asks once for each content", async () => {
    const { ask, asked, disk } = place({ answer: false });
    expect((await ask()).effective.rules.allow).toEqual([]);
    await ask();
    expect(asked()).toBe(1);
    disk.files.set("/repo/.tool/settings.json", JSON.stringify({ permissions: { allow: ["Bash(npm run build)"] } }));
    await ask();
    expect(asked()).toBe(2);
  });

  it("asks nothing about settings that only restrict, or that nobody wrote", async () => {
    const restricting = { "/repo/.git/HEAD": "", "/repo/.tool/settings.json": JSON.stringify({ permissions: { deny: ["Bash"] } }) };
    for (const files of [restricting, { "/repo/.git/HEAD": "" }]) {
      const { ask, asked } = place({ answer: true, files });
      await ask();
      expect(asked()).toBe(0);
    }
  });

  it("asks again when the trusted settings change", async () => {
    const { ask, asked, disk } = place({ answer: true });
    await ask();
    disk.files.set("/repo/.tool/settings.json", JSON.stringify({ permissions: { allow: ["Bash"] } }));
    const { effective } = await ask();
    expect([asked(), effective.rules.allow.map(({ text }) => text)]).toEqual([2, ["Bash"]]);
  });
});

it("settingsNotices() and the list of permissions give the same reason, also after a rule of the person's own", async () => {
  const { world, disk } = place({ files: { "/repo/.git/HEAD": "" } });
  await editRules(world, { verb: "add", rule: "Bash(npm test)", scope: "project" });
  disk.files.set("/repo/.tool/agents/x.md", "---\nname: x\n---\nLook.");
  const settings = await openSettings(world, {});
  const why = "held back, because this project has changed since you trusted it or changed its rules";
  expect(settingsNotices(settings, "tool")).toEqual([expect.stringMatching(new RegExp(`^\\d things are ${why}\\.`))]);
  const lines = permissionLines(permissionList(settings, { cwd: "/repo", sandbox: { kind: "active" } }), "tool");
  expect(lines).toContain(`${why[0]?.toUpperCase()}${why.slice(1)}:`);
  expect(lines.filter((line) => line.endsWith(" "))).toEqual([]);
});

it("settingsNotices() counts what is held back, and says how to decide", async () => {
  const { world } = place();
  const [notice = ""] = settingsNotices(await openSettings(world, {}), "tool");
  expect(notice).toMatch(/^1 thing is held back, because this project is not trusted\. .*--trust.*tool permissions$/);
  expect(settingsNotices(await openSettings(world, { trust: true }), "tool")).toEqual([]);
});

describe("a repository that brings more than one answer can cover", () => {
  const skills = Object.fromEntries(
    Array.from({ length: 2_100 }, (_, n) => [`/repo/.tool/skills/s${n}/SKILL.md`, `---\nname: s${n}\ndescription: d\n---\nDo.`]),
  );
  const files = { "/repo/.git/HEAD": "", ...skills };

  it("is not said to be trusted by --trust, which refuses it", async () => {
    const { world } = place({ files });
    const [notice = ""] = settingsNotices(await openSettings(world, {}), "tool");
    expect(notice).toMatch(/^At least \d+ things are held back\. This project cannot be trusted: it brings more .* tool permissions$/);
    await expect(openSettings(world, { trust: true })).rejects.toThrow("Cannot use --trust");
  });

  it("is listed with its beginning alone, and nobody is asked", async () => {
    const { ask, asked, said } = place({ files, answer: true });
    expect([(await ask()).trust.state, asked()]).toEqual(["untrusted", 0]);
    const lines = said.join("\n").split("\n");
    expect(lines.filter((line) => line.includes("agents and skills: ")).length).toBe(10);
    expect(lines).toContainEqual(expect.stringMatching(/^ +and at least \d{4} more: tool permissions$/));
    expect(said.at(-1)).toContain("Cannot trust this repository");
  });
});
