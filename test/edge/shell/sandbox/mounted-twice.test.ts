// What is hidden at one path and could be read at another, because a folder around it is mounted there too.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { escapeWorld } from "../../escape-world.ts";

// A checkout in /tmp or /var/tmp has no place for it: a command in the sandbox has its own.
const cannot = (await lacks("sandbox", "a file system of its own")) || /^\/(?:var\/)?tmp\//.test(process.cwd());

it.skipIf(cannot)("is hidden at both, in the working directory and in the home, and the rest is readable at both", async () => {
  const place = mkdtempSync(join(process.cwd(), "node_modules", ".scratch-"));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const { run, tree, canary, close } = await escapeWorld({ deny: ["Read(.env)"], folder: place });
  onTestFinished(close);
  tree.put("work/.env", canary);
  const [work, home] = ["again/of work", "again/of home"].map(tree.at);
  for (const [from, to] of [
    [tree.at("work"), work!],
    [tree.at("home"), home!],
  ] as const) {
    mkdirSync(to, { recursive: true });
    execFileSync("mount", ["--bind", from, to]);
    onTestFinished(() => void execFileSync("umount", [to]));
  }
  const { output } = await run(
    `cat '${work}/.env' '${work}/secret/denied.txt' '${home}/.ssh/id_ed25519' '${home}/.netrc'; cat '${work}/src/a.ts' '${home}/.bashrc'; echo x > '${work}/src/a.ts'; ls -a '${home}/.ssh' | wc -l`,
  );
  expect([output.includes(canary), output.includes("a# rc"), output.includes("Read-only"), /^2$/m.test(output)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect((await run(`cd '${work}' && cat .env`)).output).not.toContain(canary);
});
