// The edges of the process: every port that the world declares is provided, and the sandbox is tried once for each set of folders.
import { expect, it } from "vitest";
import type { Edges } from "../../src/app/world.ts";
import { edges } from "../../src/world/edges.ts";
import { scratchFolder } from "../scratch.ts";

it("has a port for each that a command may use, loaded on first use", async () => {
  const made = edges("/package");
  const wrong = Object.entries(made).filter(([, edge]) => typeof edge !== "function");
  expect(wrong).toEqual([]);
  const alone: (keyof Edges)[] = ["disk", "clock", "watch", "lock", "processes", "realPath", "runHook", "lineProcess"];
  for (const name of alone) expect(await (made[name] as () => Promise<unknown>)(), name).toBeTruthy();
});

it("gives the same disk to everybody, and a folder that is removed with everything in it", async () => {
  const { disk, removeFolder } = edges("/package");
  const folder = `${scratchFolder()}/a`;
  const real = await disk();
  expect(real).toBe(await disk());
  real.makeFolder(`${folder}/b`);
  real.replace(`${folder}/b/c`, "text");
  await removeFolder(folder);
  expect(real.size(folder)).toBeUndefined();
});

it("tries the sandbox once for the same folders", async () => {
  const { sandboxTrial } = edges("/package");
  const folder = scratchFolder();
  const [first, second] = await Promise.all([sandboxTrial([folder]), sandboxTrial([folder])]);
  expect(second).toEqual(first);
  expect(["works", "missing", "uncertain"]).toContain(first.kind);
  expect(Object.keys(first).toSorted()).toEqual(first.kind === "works" ? ["kind"] : ["kind", "why"]);
});

it("opens a workspace with the tools of a folder, and refuses an invalid rule", async () => {
  const made = edges("/package");
  const cwd = scratchFolder();
  const { loadSettings } = await import("../../src/settings/files.ts");
  const open = (rule: string) => {
    const settings = loadSettings(disk, { cwd, home: cwd, configDir: `${cwd}/.tool`, managed: [] }, {});
    if (!settings.ok) throw new Error(settings.reason);
    settings.effective.rules.allow.push({ text: rule, scope: "command line" });
    return made.work({
      cwd,
      configDir: `${cwd}/.tool`,
      env: {},
      owner: "s:tool",
      settings,
      sandboxFound: { kind: "missing", why: "-" },
      readOnly: true,
    });
  };
  const disk = await made.disk();
  const work = await open("Read");
  expect(work.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["Read", "Glob", "Grep"]));
  expect(work.tools.map(({ name }) => name)).not.toContain("Write");
  await work.endAll();
  await expect(open("Read((")).rejects.toThrow(/Read\(\(/);
});
