// SIGTERM in every phase of `tool --print`: it ends with 130, its JSON is one whole document, and its session can be resumed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, type Part, type Provider, provider } from "../cast.ts";
import { streamed, text } from "../messages-api.ts";
import { eventually, quoted } from "../scratch.ts";
import { type Place, teamPlace, tool } from "../team-kit.ts";

type Here = { there: Place; api: Provider };
type Phase = {
  cast: Record<string, Part>;
  /** Whether the phase has begun. */
  isThere: (here: Here) => boolean;
  /** A hook that runs in this phase: it leaves a mark, and goes on a moment after it may. */
  hook?: string;
  flags?: string[];
};

const never: Part[number] = () => new Promise(() => {});
const probe = call("Agent", { description: "look", prompt: "Look.", name: "probe", background: true });
const marked = ({ there }: Here) => existsSync(join(there.folder, "mark"));
/** More than a pipe holds. */
const long = "A long reply. ".repeat(50_000);

const phases: Record<string, Phase> = {
  "before the first request": { cast: { tool: [text("Never.")] }, hook: "UserPromptSubmit", isThere: marked },
  "while a reply streams": {
    cast: { tool: [streamed([text("Half of it. ".repeat(100))], { wire: { silentAfter: 900 } })] },
    isThere: ({ api }) => api.requests("tool").length === 1,
  },
  "in a tool call": {
    cast: { tool: [call("Bash", { command: "touch begun; sleep 60" })] },
    flags: ["--allow", "Bash"],
    isThere: ({ there }) => existsSync(join(there.repository, "begun")),
  },
  "while it waits for an agent": {
    cast: { tool: [probe, text("Started.")], probe: [never] },
    isThere: ({ api }) => api.requests("tool").length === 2 && api.requests("probe").length === 1,
  },
  "while a report is delivered": {
    cast: { tool: [probe, text("Started."), never], probe: [text("Found.")] },
    isThere: ({ api }) => api.requests("tool").length === 3,
  },
  "while the session ends": { cast: { tool: [text("Done.")] }, hook: "SessionEnd", isThere: marked },
  "while the result is written": { cast: { tool: [text(long)] }, hook: "SessionEnd", isThere: marked },
};

type Ran = { code: number | null; stdout: string };

/** Nothing of its output is read before the signal. */
async function interrupted({ there, api }: Here, { isThere, flags = [] }: Phase, isWriting: boolean): Promise<Ran> {
  const [program = "", ...args] = tool;
  const child = spawn(program, [...args, "--print", "--output-format", "json", ...flags, "go on now"], {
    cwd: there.repository,
    env: { ...there.env, ...api.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await eventually(() => isThere({ there, api }));
  const goOn = () => writeFileSync(join(there.folder, "go"), "");
  if (isWriting) {
    goOn();
    await eventually(() => isFull(child.pid, there));
  }
  child.kill("SIGTERM");
  goOn();
  const ended = once(child, "close");
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    stdout += part;
  });
  const [code] = await ended;
  return { code: code as number | null, stdout };
}

/** Whether it has written more than what is in its files: its standard output takes some of it, and it waits with the rest. */
function isFull(pid: number | undefined, { configDir }: Place): boolean {
  const written = Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0);
  const paths = readdirSync(configDir, { recursive: true, encoding: "utf8" });
  return written > paths.reduce((sum, path) => sum + lstatSync(join(configDir, path)).size, 60_000);
}

it("SIGTERM ends it with 130 in every phase, with a whole document and a session that continues", async () => {
  const ran = await Promise.all(
    Object.entries(phases).map(async ([name, phase]) => {
      const there = teamPlace();
      const { tool: own = [], ...others } = phase.cast;
      const api = await provider({ tool: [...own, text("Here I am.")], ...others });
      const [mark, go] = ["mark", "go"].map((file) => quoted(join(there.folder, file)));
      const command = `touch ${mark}; until [ -e ${go} ]; do sleep 0.05; done; sleep 1`;
      if (phase.hook)
        there.write("config/settings.json", JSON.stringify({ hooks: { [phase.hook]: [{ hooks: [{ type: "command", command }] }] } }));
      const { code, stdout } = await interrupted({ there, api }, phase, name === "while the result is written");
      const doc = JSON.parse(stdout) as { ending: string; exit_code: number };
      const again = there.piped(["--print", "--continue", "and now?"], { env: api.env, input: "" });
      const resumed = (await again.ended).code;
      return [name, { code, doc: [doc.ending, doc.exit_code], lines: damaged(there), resumed }] as const;
    }),
  );
  const asWell = { code: 130, doc: ["aborted", 130], lines: 0, resumed: 0 };
  expect(Object.fromEntries(ran)).toEqual({
    ...Object.fromEntries(Object.keys(phases).map((name) => [name, asWell])),
    "while the result is written": { ...asWell, doc: ["done", 0] }, // it was complete before the signal
  });
});

/** How many lines of the transcripts are not whole. */
function damaged({ configDir }: Place): number {
  const projects = join(configDir, "projects");
  const paths = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".jsonl"));
  const lines = paths.flatMap((path) => readFileSync(join(projects, path), "utf8").split("\n").slice(0, -1));
  return lines.filter((line) => {
    try {
      return line !== "" && !JSON.parse(line);
    } catch {
      return true;
    }
  }).length;
}
