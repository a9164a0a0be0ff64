// Which folders commands may write is what the harness says, and stays so: nothing that a command can change decides it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mountedHere } from "../../../../src/edge/shell/sandbox/mount-check.ts";
import { lacks } from "../../../needs.ts";
import { escapeWorld, openAt } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

/** Not in /tmp, which is another one in the sandbox. */
async function world() {
  const folder = mkdtempSync(join(process.cwd(), "node_modules", ".scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = await escapeWorld({ folder });
  onTestFinished(made.close);
  return made;
}

inSandbox.each(["refs/heads/../../hooks/x", "refs/heads/../../../x", "refs/heads/../../../../x", "refs/heads/feature/x"])(
  "a worktree's HEAD that says %s opens nothing to the next agent in it",
  async (reference) => {
    const made = await world();
    const { at } = made.tree;
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: at("work"), stdio: "ignore" });
    rmSync(at("work/.git/hooks/pre-commit"));
    git("add", "src");
    git("commit", "-qm", "first");
    git("branch", "feature/x");
    git("worktree", "add", "-q", "-b", "tool/agents-1/a", at("own"));
    const open = async () => {
      const agent = await openAt(at("own"), made, { repository: { branch: "tool/agents-1/a" } });
      onTestFinished(agent.close);
      return agent;
    };
    const written = await (await open()).run(`echo 'ref: ${reference}' > '${at("work/.git/worktrees/own/HEAD")}'`);
    expect(written.end).toEqual({ kind: "exited", code: 0 });
    const places = ["work/planted", "outside/planted", "work/.git/hooks/planted", "work/.git/refs/heads/feature/planted"].map(at);
    const { end } = await (await open()).run(`for path in ${places.join(" ")}; do touch $path; done; git commit -q --allow-empty -m own`);
    expect(end.kind).toBe("exited");
    expect(places.filter((path) => existsSync(path))).toEqual([]);
  },
);

inSandbox.each(["../outside", "src"])(
  "a working directory that a session around it replaces by a link to %s runs no command",
  async (target) => {
    const around = await world();
    const { at } = around.tree;
    around.tree.put("work/pkg/a", "a");
    const inside = await openAt(at("work/pkg"), around);
    onTestFinished(inside.close);
    expect((await inside.run("echo b > a")).end).toEqual({ kind: "exited", code: 0 });
    expect((await around.run(`mv pkg away && ln -s ${target} pkg`)).end).toEqual({ kind: "exited", code: 0 });
    const { end, output } = await inside.run("echo planted > planted; echo x > file; echo x > a.ts");
    const reason = "no sandbox could be made for it, so it did not run: bwrap: the files changed while the sandbox was made";
    expect([end, output]).toEqual([{ kind: "failed", reason }, ""]);
    expect([
      readFileSync(at("outside/file"), "utf8"),
      existsSync(at("outside/planted")),
      readFileSync(at("work/src/a.ts"), "utf8"),
    ]).toEqual(["outside", false, "a"]);
    expect((await around.run("rm pkg && mv away pkg")).end).toEqual({ kind: "exited", code: 0 });
    expect((await inside.run("echo c > a")).end).toEqual({ kind: "exited", code: 0 });
  },
);

it.skipIf(process.platform !== "linux")("mountedHere() knows the root of the disk, and nothing that is mounted over", () => {
  const [root, below] = mountedHere(["/", "/proc"]);
  expect([root, below]).toEqual([expect.stringMatching(/^\d+:\d+ \/[^ ]*$/), expect.stringMatching(/^\d+:\d+ \/$/)]);
});
