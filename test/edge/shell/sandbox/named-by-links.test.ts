// A link gives what it leads to another name: in the place of a folder of settings or secrets, that is the one by which the files there count.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { usersRepository } from "../../../ordinary-user.ts";
import { escapeWorld, type WorldOptions } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}) {
  const made = await escapeWorld(options);
  onTestFinished(made.close);
  const at = (path: string) => join(made.policy.cwd, path);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const read = (path: string) => readFileSync(at(path), "utf8");
  return { ...made, at, put, read, link: (path: string, target: string) => symlinkSync(target, at(path)) };
}

inSandbox.each([
  [".cargo", "config.toml"],
  [".github", "copilot-instructions.md"],
  [".config", "git/config"],
  [".jj", "repo/config.toml"],
  [".hg", "hgrc"],
])("what a link called %s leads to is protected as %s in it is, and new ones are put aside", async (name, file) => {
  const { run, at, put, read, link } = await world();
  put(`real/${file}`, "before");
  link(name, "real");
  mkdirSync(at("deep/empty"), { recursive: true });
  symlinkSync("empty", at(`deep/${name}`));
  const { output, denied } = await run(
    `echo evil > real/${file}; mv real other; mkdir -p deep/empty/${dirname(file)}; echo evil > deep/empty/${file}; echo x > real/plain; echo done`,
  );
  expect([read(`real/${file}`), existsSync(at(`deep/empty/${file}`)), read("real/plain")]).toEqual(["before", false, "x\n"]);
  expect([output.includes("done\n"), denied?.length]).toEqual([true, 1]);
});

inSandbox.each<[string, string, string, string, string]>([
  ["a link on the way", ".config", "gh/hosts.yml", "real", "Read(.config/gh/hosts.yml)"],
  ["a link outside of the tree", ".cargo", "credentials", "../outside/real", "Read(.cargo/credentials)"],
  ["a rule for a folder anywhere", "deep/secret2", "key.txt", "real", "Read(**/secret2/key.txt)"],
  ["a rule with a star", "deep/b", "key.txt", "real", "Read(deep/*/key.txt)"],
])("a secret is hidden where it is if %s gives it its name", async (_, name, file, place, rule) => {
  const folder = resolve("node_modules"); // a place that commands see
  const { run, put, link, canary } = await world({ folder });
  const opened = await world({ folder, deny: [rule] });
  for (const made of [{ put, link }, opened]) {
    made.put(`${place}/${file}`, made === opened ? opened.canary : canary);
    made.put("deep/plain", "x");
    made.link(name, name.includes("/") ? `../${place}` : place);
  }
  const command = `cat ${place}/${file} ${name}/${file}; cat deep/plain; mv real other; cat other/${file}`;
  expect((await run(command)).output).toContain(canary);
  const { output } = await opened.run(command);
  expect([output.includes(opened.canary), output.includes("x")]).toEqual([false, true]);
  expect(opened.read(`${place}/${file}`)).toBe(opened.canary);
});

inSandbox("so are secrets that no rule names, and what .toolignore hides", { timeout: 30_000 }, () => {
  const { person, session } = usersRepository({ "cfg/gh/hosts.yml": "canary-1", "cc/credentials": "canary-2", "v/key.txt": "canary-3" });
  person("ln -s cfg .config; ln -s cc .cargo; ln -s v ign; echo ign/key.txt > .toolignore");
  const [output = ""] = session("grep -r canary- cfg cc v; echo done");
  expect([output.includes("canary"), output.includes("done")]).toEqual([false, true]);
});

inSandbox("links of such names that lead to what is around them end", async () => {
  const { run, at, put, link } = await world();
  put("src/plain", "x");
  for (const name of [".github", "src/.config", "src/.cargo"]) link(name, name === ".github" ? "." : "..");
  const { output } = await run("echo x > config.toml; echo y > src/plain; cat src/plain");
  expect([output.includes("y\n"), existsSync(at("config.toml"))]).toEqual([true, false]);
});

inSandbox("files of the person's stay where a command makes a link that would give them such a name", async () => {
  const { run, at, put, read } = await world();
  put("theirs/config.toml", "theirs");
  const { denied } = await run("ln -s theirs .cargo; sleep 0.3");
  expect([read("theirs/config.toml"), denied?.map(({ subject }) => subject)]).toEqual(["theirs", [at(".cargo")]]);
});

inSandbox.each([
  ["/", "/"],
  ["/usr", "/usr"],
  ["a folder of the tree", "src"],
  ["git's folder", ".git"],
  ["a file outside", "/etc/hostname"],
])("a link to %s that a command gives a hidden name is put aside, and the next command runs", async (_, target) => {
  const { run, at } = await world({ deny: ["Read(.env)"] });
  const { denied } = await run(`ln -s ${target} .env`);
  expect(denied?.map(({ subject }) => subject)).toEqual([at(".env")]);
  expect((await run("ls src; git status > /dev/null && echo fine")).output).toBe("a.ts\nfine\n");
});

inSandbox.each(["/", "/usr", ".", "/proc"])(
  "a link of the person's to %s is named by the refusal, and commands run without it",
  async (target) => {
    const { run, at, link, sandbox } = await world({ deny: ["Read(.env)"] });
    link(".env", target);
    const { end } = await run("true");
    expect(end).toEqual({
      kind: "failed",
      reason: expect.stringMatching(/\/\.env leads to \S+, which cannot be hidden from commands, because/),
    });
    rmSync(at(".env"));
    expect([(await run("echo on")).output, sandbox.state()]).toEqual(["on\n", { kind: "active" }]);
  },
);
