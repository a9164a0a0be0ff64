// A session that is killed while a command runs: the next session knows which files the command left, whichever session that is.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually } from "../scratch.ts";
import { processesOf, teamPlace } from "../team-kit.ts";

const plants =
  "mkdir .husky; echo x > .husky/pre-commit; echo x > .envrc; mkdir -p deep/.vscode; echo x > deep/.vscode/tasks.json; touch planted";

it.skipIf(await lacks("sandbox")).each([["--continue"], ["--trust"]])(
  "tool %s moves what a killed session's command planted, and says so",
  async (...args) => {
    const place = teamPlace();
    const at = (path: string) => join(place.repository, path);
    mkdirSync(at(".idea"));
    writeFileSync(at("plant.sh"), `while [ ! -e go ]; do sleep 0.02; done; ${plants}; sleep 100`);
    const first = await provider({ tool: [call("Bash", { command: "sh plant.sh" })] });
    const killed = place.piped(["--print", "--allow", "Bash(sh plant.sh)", "Plant."], { env: first.env, input: "" });
    await eventually(() => processesOf(place.folder).some(({ command }) => command.startsWith("sh plant.sh")));
    process.kill(killed.pid, "SIGSTOP"); // from here on it changes nothing
    writeFileSync(at("go"), "");
    await eventually(() => existsSync(at("planted")));
    process.kill(killed.pid, "SIGKILL");
    await killed.ended;
    writeFileSync(at("persons.txt"), "made by the person afterwards");
    const stayed = [".husky", ".envrc", "deep/.vscode"].map((path) => existsSync(at(path)));
    const next = await provider({ tool: [text("Done.")] });
    const program = place.piped(["--print", ...args, "Go on."], { env: next.env, input: "" });
    const { code } = await program.ended;
    const found = [".husky", ".envrc", "deep/.vscode", ".idea", ".git/config", "persons.txt"].map((path) => existsSync(at(path)));
    expect({ stayed, code, found }).toEqual({ stayed: [true, true, true], code: 0, found: [false, false, false, true, true, true] });
    for (const path of [".husky", ".envrc", "deep/.vscode"]) {
      const [, kept = ""] =
        new RegExp(`tool: A command left .*${path} when its session was killed. It was moved to (.+?): `).exec(program.stderr()) ?? [];
      expect([path, existsSync(kept)]).toEqual([path, true]);
    }
    const again = await provider({ tool: [text("Done.")] });
    const third = place.piped(["--print", "Go on."], { env: again.env, input: "" });
    await third.ended;
    expect(third.stderr()).not.toContain("killed");
  },
);
