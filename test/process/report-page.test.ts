// `tool team report --html`, and the page in a real browser.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reportPage } from "../../src/screen/report-page/page.ts";
import { lacks } from "../needs.ts";
import { aReport, aTask, at, factsOf, of } from "../screen/report-page/facts.ts";
import { command as tool } from "./command.ts";
import { type Home, temporaryHome } from "./tool.ts";

let home: Home;
let folder = "";
beforeAll(() => {
  home = temporaryHome();
  folder = mkdtempSync(join(tmpdir(), "report-"));
});
afterAll(() => {
  home[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

it("writes the page of a team to a file that only its owner can read, without secrets that a user typed", async () => {
  const path = join(folder, "relay.html");
  const secret = `ghp_${"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5".slice(0, 36)}`;
  await tool(home, ["team", "create", "relay", "--members", "lead,ann,bo"]);
  await tool(home, ["team", "task", "create", "--team", "relay", "--title", `Use ${secret} <b>now</b>`]);
  await tool(home, ["team", "send", "ann", `the token is ${secret}`, "--team", "relay"]);
  expect(await tool(home, ["team", "report", "--team", "relay", "--html", "--output", path])).toEqual({
    code: 0,
    stdout: `${path}\n`,
    stderr: "",
  });
  const page = readFileSync(path, "utf8");
  expect(page).not.toContain(secret);
  expect(page).toContain("user to ann: the token is [secret:");
  expect(page).toContain("&lt;b&gt;now&lt;/b&gt;");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await tool(home, ["team", "report", "relay", "--html"])).stdout).toBe(page);
});

it.each([
  [["--html", "--json"], "--html and --json are two forms of the report: choose one."],
  [["--output", "x.html"], "--output needs --html whose file it names. Add --html."],
  [
    ["--html", "--output", "/proc/none/x.html"],
    "cannot write the report to /proc/none/x.html: there is no folder /proc/none. Make it, or name another file.",
  ],
])("refuses %j", async (args, said) => {
  await tool(home, ["team", "create", "relay", "--members", "lead,ann,bo"]);
  const ran = await tool(home, ["team", "report", "relay", ...args]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(said)]);
});

it("replaces a report, and no other file", async () => {
  const write = (path: string) => tool(home, ["team", "report", "relay", "--html", "--output", path]);
  await tool(home, ["team", "create", "relay", "--members", "lead,ann,bo"]);
  const notes = join(folder, "notes.html");
  writeFileSync(notes, "<p>mine</p>");
  const refused = await write(notes);
  expect([refused.code, refused.stderr, readFileSync(notes, "utf8")]).toEqual([
    2,
    `tool: cannot write the report to ${notes}: that file is not a report of a team. Remove it, or name another file.\n`,
    "<p>mine</p>",
  ]);
  const again = join(folder, "again.html");
  expect([(await write(again)).code, (await write(again)).code]).toEqual([0, 0]);
});

const nasty = `</script><script>document.title = "taken"</script><img src=x onerror="document.title='taken'">`;

const events = [
  { kind: "task_claimed" as const, ...of("task-1", "ada", 10) },
  { kind: "message_sent" as const, at: at(20), by: "ada", message: "m", mail: "message" as const, to: "bo", text: nasty },
  { kind: "task_claimed" as const, ...of("task-2", "bo", 30) },
  { kind: "task_completed" as const, ...of("task-1", "ada", 40), summary: nasty },
];
const tasks = [aTask({ id: "task-1", title: nasty }), aTask({ id: "task-2", title: "Print", assigned_to: "bo", status: "in_progress" })];

/** The document after its scripts have run. */
async function inChromium(page: string, hash = ""): Promise<string> {
  const path = join(folder, "page.html");
  writeFileSync(path, page);
  const args = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}/chromium`, "--dump-dom", `file://${path}${hash}`];
  return (await promisify(execFile)("chromium", args, { timeout: 60_000, env: { ...process.env, HOME: folder } })).stdout;
}

/** Records what a person sees after each key and choice, where the dump shows it. */
const probe = `
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => getComputedStyle(one).display !== "none").length;
  const press = (key) => dispatchEvent(Object.assign(new KeyboardEvent("keydown", { key, cancelable: true })));
  const [agent, task] = document.querySelectorAll("select");
  const seen = [];
  const see = (what) => seen.push([what, shown("#events li"), shown("#tasks tbody tr"), shown(".lane a")].join(" "));
  see("all");
  agent.value = "a1"; agent.onchange(); see("ada");
  task.value = "t1"; task.onchange(); see("ada task-2");
  press("x"); see("x");
  press("d"); seen.push(document.documentElement.dataset.theme + " " + getComputedStyle(document.body).backgroundColor);
  press("d"); seen.push(document.documentElement.dataset.theme + " " + getComputedStyle(document.body).backgroundColor);
  press("j"); press("j"); press("k"); seen.push([...document.querySelectorAll("#events li")].findIndex((row) => row.className.includes("here")));
  press("a"); seen.push(document.activeElement === agent);
  seen.push([...task.options].map((one) => one.text.slice(0, 6)).join());
  document.documentElement.dataset.seen = JSON.stringify(seen);
`;

it.skipIf(await lacks("chromium"))("filters, turns dark and follows keys in Chromium", async () => {
  const page = reportPage(factsOf(aReport(tasks), events));
  const probed = page.replace(/<meta http-equiv[^>]*>/, "").replace("</body>", () => `<script>${probe}</script></body>`);
  const dump = await inChromium(probed);
  const seen = /data-seen="([^"]*)"/.exec(dump)?.[1]?.replaceAll("&quot;", '"');
  expect(seen && JSON.parse(seen), dump).toEqual([
    "all 4 2 2",
    "ada 3 1 1",
    "ada task-2 0 0 0",
    "x 4 2 2",
    "dark rgb(22, 23, 26)",
    "light rgb(255, 255, 255)",
    0,
    true,
    "all,task-1,task-2",
  ]);
});

it.skipIf(await lacks("chromium"))("runs no foreign script in Chromium, and keeps the filter in its address", async () => {
  const page = reportPage(factsOf(aReport(tasks), events));
  // simulates broken escaping: the page's policy still blocks it
  const broken = page.replace("<main>", () => `<main>${nasty}`);
  const dump = await inChromium(broken, "#only=a2");
  expect(/<title>(.*)<\/title>/.exec(dump)?.[1], dump).toBe("Team atlas: report");
  expect(/aria-live="polite">([^<]*)/.exec(dump)?.[1]).toBe("2 events");
});
