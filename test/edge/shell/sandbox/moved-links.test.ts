// A link cannot be covered as a file is: a command may move it away, and back. What it led to stays covered all the same, and one that leads to
// settings comes back.
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { escapeWorld, openAt, type WorldOptions } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}) {
  const made = await escapeWorld({ deny: ["Read(.env)"], ...options });
  onTestFinished(made.close);
  const at = (path: string) => join(made.policy.cwd, path);
  return { ...made, at, put: putIn(at("")), link: linkIn(at("")) };
}

const putIn = (folder: string) => (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const linkIn = (folder: string) => (path: string, target: string) => symlinkSync(target, join(folder, path));

/** Another agent in the same tree. */
async function beside(made: Awaited<ReturnType<typeof world>>) {
  const other = await openAt(made.policy.cwd, made);
  onTestFinished(async () => {
    await other.close();
    other.sandbox.close();
  });
  return other;
}

inSandbox.each<[string, (made: Awaited<ReturnType<typeof world>>) => Promise<void>]>([
  ["when the session began", async ({ link }) => link(".env", "values/dev")],
  [
    "since the person made it",
    async ({ link, run }) => {
      await run("true");
      link(".env", "values/dev");
      await run("true");
    },
  ],
])("what a link hid %s stays hidden after a command has removed the link", async (when, prepare) => {
  const made = await escapeWorld({ deny: ["Read(.env)"] });
  const at = (path: string) => join(made.policy.cwd, path);
  const here = { ...made, at, put: putIn(at("")), link: linkIn(at("")) };
  here.put("values/dev", made.canary);
  await prepare(here);
  const opened = when.startsWith("when") ? await beside(here) : here;
  onTestFinished(made.close);
  expect((await opened.run("cat .env values/dev; rm .env; echo removed")).output).toContain("removed\n");
  expect(existsSync(at(".env"))).toBe(false);
  const { output } = await opened.run("cat values/dev; mv values other; cat other/dev; grep -r . values; echo done");
  expect([output.includes(made.canary), output.includes("done\n")]).toEqual([false, true]);
});

inSandbox("what a command's own link hid is not hidden when that has gone", async () => {
  const { run, put, at } = await world();
  put("example", "A=1");
  expect((await run("ln -s example .env; cat example")).output).toBe("A=1");
  expect((await run("cat example .env")).output).not.toContain("A=1");
  rmSync(at(".env"));
  expect((await run("cat example")).output).toBe("A=1");
});

inSandbox("a protected link that is moved away and back is asked about, and what it leads to cannot be changed meanwhile", async () => {
  const made = await world();
  made.put("setup", "before");
  made.link(".envrc", "setup");
  const first = await openAt(made.policy.cwd, made);
  const running = first.run("mv .envrc y; touch up; while [ ! -e go ]; do sleep 0.02; done; mv y .envrc; echo done");
  await eventually(() => existsSync(made.at("up")));
  await first.run("echo evil > setup; mv setup other; cat setup");
  expect(readFileSync(made.at("setup"), "utf8")).toBe("before");
  await (await beside(made)).run("echo evil > setup"); // opened since: it is a file like any other
  writeFileSync(made.at("go"), "");
  const { denied, output } = await running;
  await first.close();
  first.sandbox.close();
  expect([output.includes("done\n"), denied?.map(({ subject }) => subject)]).toEqual([true, [made.at(".envrc")]]);
  expect(lstatSync(made.at(".envrc"), { throwIfNoEntry: false })).toBeUndefined();
});

async function atHome(prepare: (home: string) => void, configDir?: string) {
  const made = await escapeWorld();
  const { home } = made.policy;
  prepare(home);
  const here = await openAt(home, made, configDir);
  onTestFinished(async () => {
    await here.close();
    here.sandbox.close();
    await made.close();
  });
  return { ...here, home, canary: made.canary };
}

inSandbox("secrets of a home directory stay hidden when what names them is moved: a link, or a folder around them", async () => {
  const { run, canary } = await atHome((home) => {
    renameSync(join(home, ".ssh"), join(home, "keys"));
    linkIn(home)(".ssh", "keys");
    putIn(home)(".m2/settings.xml", readFileSync(join(home, ".netrc"), "utf8"));
    putIn(home)(".config/gh/hosts.yml", readFileSync(join(home, ".netrc"), "utf8"));
  });
  const { output } = await run("rm .ssh; mv .m2 m2; mv .config config; mv keys others; cat */settings.xml */*/hosts.yml */id_ed25519");
  expect(output).not.toContain(canary);
  const later = await run("cat */settings.xml */*/hosts.yml .*/*/hosts.yml */id_ed25519; echo done");
  expect([later.output.includes(canary), later.output.includes("done\n")]).toEqual([false, true]);
});

inSandbox.each([
  ["the folder of this program", ".tool", "dotfiles/tool", ".tool"],
  ["a folder on the way to it", "a", "b", "a/cfg"],
  ["a link at the end of a link", "a", "b", "way/cfg"],
])("a link to %s comes back when a command has replaced it", async (_, name, target, config) => {
  const { run, home } = await atHome((folder) => {
    mkdirSync(join(folder, dirname(target)), { recursive: true });
    if (name === ".tool") renameSync(join(folder, ".tool"), join(folder, target));
    else putIn(folder)(`${target}/cfg/settings.json`, "{}");
    linkIn(folder)(name, target);
    linkIn(folder)("way", "a");
  }, config);
  const settings = () => readFileSync(join(home, config, "settings.json"), "utf8");
  const before = settings();
  for (const command of [`rm ${name}`, `mv ${name} gone; mkdir -p ${config}; echo evil > ${config}/settings.json`]) {
    const { output } = await run(command);
    expect([readlinkSync(join(home, name)), settings()]).toEqual([target, before]);
    expect(output).toContain(`${join(home, name)}, a link on the way to settings, was moved while the command ran, and has been put back`);
  }
});
