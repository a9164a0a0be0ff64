// Files changed by a worker's programs, which no rule covers: its own freely, another only after the user allows it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { anOrder } from "../subagents/kit.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

it.skipIf(await lacks("sandbox"))("keeps a worker's program to the worker's files, until a person allows more", async () => {
  const program = (path: string) => call("Bash", { command: `node -e 'fs.writeFileSync("${path}", "changed")'` });
  const api = await provider({
    tool: [
      call("StartWorker", { ...anOrder(), component: "log", files: ["src/log.js", "src/new.js"], testCommand: "true" }),
      text("Started."),
      text("It needs the person."),
    ],
    log: [
      program("src/log.js"),
      program("src/new.js"),
      program("out/built.js"),
      program("src/other.js"),
      program("src/other.js"),
      text("Done."),
    ],
  });
  const there = teamPlace();
  const { repository, configDir } = there;
  for (const folder of ["src", "out"]) mkdirSync(join(repository, folder));
  for (const path of ["src/log.js", "src/other.js", "out/built.js"]) writeFileSync(join(repository, path), "as it was");
  writeFileSync(join(repository, ".gitignore"), "/out/\n");
  const allowing = ["--allow", "Bash(node -e:*)"];
  const printed = there.warm(["--print", "--agent", "coordinator", ...allowing, "go on now"], { env: api.env });
  expect(await printed.ended).toEqual({ code: 3 });
  const contents = () =>
    ["src/log.js", "src/new.js", "out/built.js", "src/other.js"].map((path) => readFileSync(join(repository, path), "utf8"));
  expect(contents()).toEqual(["changed", "changed", "changed", "as it was"]);
  const record = () => {
    const file = readdirSync(join(configDir, "projects"), { recursive: true, encoding: "utf8" }).find((path) =>
      path.endsWith("/agents.json"),
    );
    return JSON.parse(readFileSync(join(configDir, "projects", file ?? ""), "utf8")).agents[0] as {
      id: string;
      state: string;
      reason: string;
    };
  };
  expect(record()).toMatchObject({
    state: "needs_permission",
    reason: expect.stringContaining("tried to change files that are not among the files of this worker: src/log.js, src/new.js"),
  });
  expect(toolResults(api.requests("log")[3]).at(-1)).not.toContain("kept from changing");

  const seat = personsTerminal([...tool, "agents", "resume", record().id, ...allowing], {
    env: { ...there.env, ...api.env },
    cwd: repository,
    columns: 120,
    rows: 40,
  });
  await seat.shows("not among the files of this worker");
  expect(contents()[3]).toBe("as it was");
  await choose(seat, "y");
  await eventually(() => record().state === "completed");
  expect(contents()[3]).toBe("changed");
  expect(toolResults(api.requests("log").at(-1)).at(-1)).toContain("A person allowed it to change other files");
});
