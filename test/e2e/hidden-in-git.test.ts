// Tracked files that .toolignore hides survive an agent's commits, in the built program.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "../secrets/labelled.ts";
import { teamPlace } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");

it.each(noSandbox ? [false] : [true, false])(
  "git add -A and a commit lose no hidden file, and one that would is refused; sandbox: %s",
  async (enabled) => {
    const place = teamPlace();
    const at = (path: string) => join(place.repository, path);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: place.repository, encoding: "utf8" });
    git("config", "user.name", "t");
    git("config", "user.email", "t@localhost");
    mkdirSync(at("customers"));
    writeFileSync(at(".toolignore"), "customers/\n*.secret\n");
    writeFileSync(at("customers/list.csv"), "xyzzy\n");
    writeFileSync(at("one.secret"), "xyzzy\n");
    writeFileSync(at("a.txt"), "plugh\n");
    git("add", ".");
    git("commit", "-qm", "first");
    writeFileSync(at("two.secret"), enabled ? `ghp_${draw("base62", 36, seeded(11))}\n` : "xyzzy\n"); // not added, so no reason to refuse a commit
    writeFileSync(at("forget.sh"), "git rm -q --cached -r . && git add .toolignore a.txt && git commit -qm third\n");
    const commands = [
      enabled ? "echo more >> a.txt && git add -A && git commit -qm second; git status --short" : "true",
      "sh forget.sh", // the name of a program does not show what it does
    ];
    const api = await provider({ tool: [...commands.map((command) => [call("Bash", { command })]), text("Done.")] });
    mkdirSync(place.configDir);
    writeFileSync(join(place.configDir, "settings.json"), JSON.stringify({ sandbox: { enabled } }));
    const program = place.warm(["--print", "--permission-mode", "bypassPermissions", "Do it."], { env: api.env });
    await program.ended;
    const [added = "", removed = ""] = [1, 2].map((request) => toolResults(api.requests("tool")[request])[0] ?? "");
    expect(added).not.toContain("secret");
    expect(removed).toContain("would change or delete files that rules hide from agents:\ncustomers/list.csv\none.secret\n");
    expect(git("log", "--format=%s", "-2").split("\n")[0]).toBe(enabled ? "second" : "first");
    expect(git("ls-tree", "-r", "--name-only", "HEAD", "customers", "one.secret", "two.secret")).toBe("customers/list.csv\none.secret\n");
    expect(["customers/list.csv", "one.secret"].map((path) => readFileSync(at(path), "utf8"))).toEqual(Array(2).fill("xyzzy\n"));
    expect(readdirSync(join(place.configDir, "sandbox"))).toEqual([]);
  },
);
