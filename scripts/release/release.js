// `npm run release [-- --dry-run]`: builds the package twice from a clean clone, compares the two, installs one into an empty prefix, and uses it there
// with each version of Node that it is made for. Publishes it then; a dry run does not.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const nodes = ["20", "22", "24"];
const mostBytes = 8 * 1024 * 1024;
const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const isDry = process.argv.includes("--dry-run");

const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

/** A failure that the person has to do something about. */
const refuse = (text) => {
  throw new Error(text);
};

/** Runs a program to its end; refuses with its output if it fails. */
function run(argv, { cwd, env = process.env, limitMs = 600_000 }) {
  const [program, ...args] = argv;
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: limitMs });
  if (status === 0) return stdout;
  const how = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  return refuse(`${argv.join(" ")} failed in ${cwd}: ${how}\n${stdout}${stderr}`);
}

const git = (...args) => run(["git", ...args], { cwd: root }).trim();
const npm = (args, cwd) => run(["npm", ...args], { cwd });

function checkManifest() {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const open = [
    ...(manifest.private ? ['package.json says "private": remove it'] : []),
    ...(manifest.repository ? [] : ["package.json names no repository: npm pkg set repository.url=git+https://…"]),
    ...(git("status", "--porcelain") ? ["there are changes that are not committed; the package is built without them"] : []),
  ];
  for (const text of open) if (isDry) say(`note: ${text}`);
  if (open.length > 0 && !isDry) refuse(open.join("\n"));
  return manifest;
}

/** Returns the tarball's path. `modules`: a folder of installed packages to copy; without it they are installed from the lock file. */
function built(folder, modules) {
  mkdirSync(folder);
  git("clone", "--quiet", root, join(folder, "clone"));
  const clone = join(folder, "clone");
  if (modules) cpSync(modules, join(clone, "node_modules"), { recursive: true, verbatimSymlinks: true });
  else npm(["ci", ...quiet], clone);
  npm(["run", "build"], clone);
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], clone));
  return { tarball: join(folder, filename), clone };
}

const digest = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? join(one.parentPath, one.name) : []));

/** Names the files in which the two differ. */
function compare([one, two]) {
  if (digest(one.tarball) === digest(two.tarball)) return say(`two builds are the same: sha256 ${digest(one.tarball)}`);
  const contents = ({ clone }) => new Map(filesBelow(join(clone, "dist")).map((path) => [path.slice(clone.length + 1), digest(path)]));
  const [first, second] = [contents(one), contents(two)];
  const different = [...new Set([...first.keys(), ...second.keys()])].filter((path) => first.get(path) !== second.get(path));
  return refuse(`Two builds of one commit differ:\n${different.filter((path) => !/^dist.test|\.cache$/.test(path)).join("\n")}`);
}

function installed(folder, tarball) {
  const prefix = join(folder, "prefix");
  mkdirSync(prefix);
  npm(["install", "--global", "--prefix", prefix, ...quiet, tarball], folder);
  const modules = process.platform === "win32" ? join(prefix, "node_modules") : join(prefix, "lib/node_modules");
  const bytes = filesBelow(modules).reduce((sum, path) => sum + statSync(path).size, 0);
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB installed`;
  if (bytes > mostBytes) refuse(`${size}, and at most ${mostBytes / 1024 / 1024} are wanted`);
  say(size);
  return join(modules, "tool/bin/tool.js");
}

/** The registry has each version of Node as a package for each system, without scripts. */
function nodeOf(folder, version) {
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  npm(["install", "--prefix", place, "--no-save", ...quiet, `${name}@${version}`], place);
  return join(place, "node_modules", name, process.platform === "win32" ? "bin/node.exe" : "bin/node");
}

/** Everything here is of the installed package alone: a home, a repository and an environment of their own. */
function use(folder, { program, node, version }) {
  const home = mkdtempSync(join(folder, "home-"));
  const cwd = join(home, "repository");
  mkdirSync(cwd);
  const env = {
    PATH: `${dirname(node)}:${process.env.PATH}`,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    ANTHROPIC_API_KEY: "none",
    TOOL_EXPERIMENTAL_AGENT_TEAMS: "1",
  };
  const tool = (...args) => run([node, program, ...args], { cwd, env, limitMs: 300_000 });
  run(["git", "init", "--quiet"], { cwd, env });
  const found = run([node, "--version"], { cwd, env }).trim();
  if (tool("--version").trim() !== version) refuse(`tool --version is not ${version} with Node ${found}`);
  if (!JSON.parse(tool("doctor", "--json")).ok) refuse(`tool doctor finds something broken with Node ${found}`);
  tool("demo", "--print");
  tool("team", "--demo", "--print", "--display", "in-process");
  say(`Node ${found}: doctor, demo and a team in pseudo-terminals`);
}

const folder = mkdtempSync(join(tmpdir(), "tool-release-"));
try {
  const { version } = checkManifest();
  const one = built(join(folder, "one"));
  say("built from a clean clone");
  compare([one, built(join(folder, "two"), join(one.clone, "node_modules"))]);
  const program = installed(folder, one.tarball);
  for (const wanted of nodes) use(folder, { program, node: nodeOf(folder, wanted), version });
  if (isDry) say(`would publish ${one.tarball.slice(folder.length + 1)}: npm publish`);
  else run(["npm", "publish", one.tarball], { cwd: folder });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
