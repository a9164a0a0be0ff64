// A link cannot be covered as a file is: a command may move it away, and back. What it led to stays covered all the same, and one that leads to
// settings comes back.
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type LinkMemory, linkMemory } from "../../../../src/edge/shell/sandbox/links/link-memory.ts";
import { lacks } from "../../../needs.ts";
import { usersRepository } from "../../../ordinary-user.ts";
import { eventually } from "../../../scratch.ts";
import { policyFor } from "../../../tools/agent.ts";
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
async function beside(made: Awaited<ReturnType<typeof world>>, memory?: LinkMemory) {
  const other = await openAt(made.policy.cwd, made, { memory });
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
  expect((await opened.run("cat .env values/dev; touch e; mv e .env; echo removed")).output).toContain("removed\n");
  expect(lstatSync(at(".env")).isFile()).toBe(true);
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
  await (await beside(made)).run("echo evil > setup"); // another process, opened since
  expect(readFileSync(made.at("setup"), "utf8")).toBe("before");
  writeFileSync(made.at("go"), "");
  const { denied, output } = await running;
  await first.close();
  first.sandbox.close();
  expect([output.includes("done\n"), denied?.map(({ subject }) => subject)]).toEqual([true, [made.at(".envrc")]]);
  expect(readlinkSync(made.at(".envrc"))).toBe("setup"); // what it leads to is what it was
});

inSandbox("what one agent's command has removed, another's of the same session does not read", async () => {
  const memory = linkMemory();
  const made = await world({ memory });
  made.put("values/dev", made.canary);
  made.put("cfg/key.txt", made.canary);
  made.link(".env", "values/dev");
  made.link("deny", "cfg");
  const rules = {
    ...made,
    policy: { ...made.policy, deny: [...made.policy.deny, ...(await policyFor(made.at(""), { deny: ["Read(deny/key.txt)"] })).deny] },
  };
  const first = await beside(rules, memory);
  await first.run("touch e d; mv e .env; mv d deny");
  const { output } = await (await beside(rules, memory)).run("cat values/dev cfg/key.txt; echo done");
  expect([output.includes(made.canary), output.includes("done\n")]).toEqual([false, true]);
});

inSandbox.each([
  [".env", "values/dev"],
  [".envrc", "setup"],
  [".cargo", "cc"],
])("a link called %s that a command removes comes back", async (name, target) => {
  const { run, put, link, at } = await world();
  put(target === "cc" ? "cc/config.toml" : target, "before");
  link(name, target);
  const { output } = await run(`rm ${name}; echo done`);
  expect(readlinkSync(at(name))).toBe(target);
  expect(output).toContain(
    `[${at(name)}, a link that protects or hides what it leads to, was moved while the command ran, and has been put back]`,
  );
  const again = await run(`echo x > other; mv -T other ${name}; echo done`);
  expect([again.output.includes("done\n"), lstatSync(at(name)).isSymbolicLink()]).toEqual([true, name === ".envrc"]);
});

inSandbox("a hidden one comes back at once, and none where its folder is gone or what it led to is another file", async () => {
  const made = await world();
  made.put("values/dev", made.canary);
  made.put("sub/x", "");
  made.put("setup", "before");
  made.link(".env", "values/dev");
  made.link("sub/.envrc", "../setup");
  const running = made.run("rm .env sub/.envrc; while [ ! -e go ]; do sleep 0.02; done; echo done");
  await eventually(
    () => lstatSync(made.at(".env"), { throwIfNoEntry: false }) && !lstatSync(made.at("sub/.envrc"), { throwIfNoEntry: false }),
  );
  writeFileSync(made.at("setup"), "the person's");
  writeFileSync(made.at("go"), "");
  expect((await running).output).toContain("done\n");
  expect([readlinkSync(made.at(".env")), existsSync(made.at("sub/.envrc"))]).toEqual(["values/dev", false]);
  expect((await (await beside(made)).run("cat values/dev; echo done")).output).not.toContain(made.canary);
});

inSandbox(
  "one whose place git has filled in the person's terminal is left, and one that is protected at its end by its own name",
  async () => {
    const { run, put, link, at } = await world();
    put("values/dev", "A=1");
    put("AGENTS.md", "do");
    link(".env", "values/dev");
    link("CLAUDE.md", "AGENTS.md");
    const running = run("touch up; while [ ! -e go ]; do sleep 0.02; done; rm CLAUDE.md; echo done");
    await eventually(() => existsSync(at("up")));
    writeFileSync(at("new"), "A=2");
    renameSync(at("new"), at(".env"));
    writeFileSync(at("go"), "");
    expect((await running).output).toContain("done\n");
    expect([readFileSync(at(".env"), "utf8"), existsSync(at("CLAUDE.md"))]).toEqual(["A=2", false]);
  },
);

inSandbox("no folder around such a link is moved away and back", async () => {
  const { run, put, link, at } = await world();
  put("tools/setup", "before");
  mkdirSync(at("a/sub"), { recursive: true });
  link("a/sub/.gdbinit", "../../tools/setup");
  const { output } = await run("mkdir node_modules; mv a/sub node_modules/sub; mv a b; touch a/sub/new; echo done");
  expect([output.includes("done\n"), existsSync(at("a/sub/.gdbinit")), existsSync(at("a/sub/new"))]).toEqual([true, true, true]);
});

inSandbox("a folder inside one that a link protects is protected with it, whatever lies there", async () => {
  const { run, put, link, at } = await world();
  put("conf/sub/.envrc", "before");
  link(".vscode", "conf");
  await run("echo evil > conf/sub/tasks.json");
  expect(existsSync(at("conf/sub/tasks.json"))).toBe(false);
});

inSandbox("a link that the person makes while a command runs counts when it is made again after that", async () => {
  const made = await world();
  made.put("values/dev", made.canary);
  const running = made.run("touch up; while [ ! -e go ]; do sleep 0.02; done; sleep 0.3");
  await eventually(() => existsSync(made.at("up")));
  made.link(".env", "values/dev");
  writeFileSync(made.at("go"), "");
  await running;
  rmSync(made.at(".env"));
  await made.run("true");
  made.link(".env", "values/dev");
  await made.run("true");
  const { output } = await made.run("touch e; mv e .env; echo done");
  expect(output).toContain("done\n");
  expect((await made.run("cat values/dev")).output).not.toContain(made.canary);
});

inSandbox("what links of the home lead to in a repository of dotfiles is protected there", { timeout: 30_000 }, () => {
  const names = ["bashrc", "gitconfig", "config/git/config", "config/fish/config.fish", "vimrc"];
  const build = `for f in ${names.join(" ")} notes; do echo evil > $f; done; mv config other`;
  const files = Object.fromEntries([...names, "notes"].map((name) => [name, "# before"]));
  const { person, read, session } = usersRepository({ ...files, "build.sh": build });
  person('mkdir -p ~/.config; for n in bashrc gitconfig vimrc; do ln -s "$PWD/$n" ~/.$n; done; ln -s "$PWD/config/git" ~/.config/git');
  person('ln -s "$PWD/config/fish" ~/.config/fish; rm -f ~/.gitconfig; ln -s "$PWD/gitconfig" ~/.gitconfig');
  session("bash build.sh");
  expect([...names, "notes"].map(read)).toEqual([...names.map(() => "# before"), "evil\n"]);
});

inSandbox("what start files of the home name in a repository is protected there, and what those name", { timeout: 30_000 }, () => {
  const names = ["aliases", "more", "rc", "git/work", "git/other", "git/third"];
  const files = Object.fromEntries([...names, "notes"].map((name) => [name, "# before\n"]));
  const { person, read, session } = usersRepository({
    ...files,
    "build.sh": `for f in ${names.join(" ")} notes; do echo evil > $f; done; mkdir .direnv; echo evil > .direnv/shell.rc; echo evil > .direnv/x`,
  });
  person('ln -s "$PWD" ~/dots; echo "[ -f ~/dots/more ] && . ~/dots/more" >> aliases; echo "source ~/dots/rc" > ~/.zshrc');
  person('echo "if true; then source \\"$PWD/aliases\\"; fi" > ~/.bashrc');
  person(
    'git config -f ~/.gitconfig include.path "$PWD/git/work"; git config -f ~/.gitconfig includeIf.gitdir:/x/.path "~/dots/git/other"',
  );
  person("git config -f git/work include.path third");
  const before = names.map(read);
  session("bash build.sh");
  expect([names.map(read), read("notes"), read(".direnv/x")]).toEqual([before, "evil\n", "evil\n"]);
  expect(() => read(".direnv/shell.rc")).toThrow("ENOENT");
});

inSandbox("what a command writes where its link was away is put aside once the link is back", async () => {
  const { run, at, link } = await world();
  for (const [name, folder] of [
    [".cargo", "cc"],
    [".github", "gh"],
  ] as const) {
    mkdirSync(at(folder));
    link(name, folder);
  }
  const { denied } = await run("rm .cargo .github; echo evil > cc/config.toml; echo evil > gh/copilot-instructions.md");
  expect(denied?.map(({ subject }) => subject).sort()).toEqual([at("cc/config.toml"), at("gh/copilot-instructions.md")]);
  expect([readlinkSync(at(".cargo")), existsSync(at("cc/config.toml")), existsSync(at("gh/copilot-instructions.md"))]).toEqual([
    "cc",
    false,
    false,
  ]);
});

async function atHome(prepare: (home: string) => void, configDir?: string) {
  const made = await escapeWorld();
  const { home } = made.policy;
  prepare(home);
  const here = await openAt(home, made, { configDir });
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
