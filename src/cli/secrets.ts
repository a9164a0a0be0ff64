// `tool secrets`: finds secrets in files and in staged changes, and installs a hook that scans every commit.

import { Command } from "commander";
import { asTyped } from "../app/controls/as-typed.ts";
import { errorLine } from "../app/print/error-line.ts";
import { type Finish, type HookOutcome, UsageError, type World } from "../app/world.ts";
import { diskErrorWords } from "../wording/error-text.ts";
import { plural } from "../wording/figures.ts";
import { shellWord } from "../wording/shell-word.ts";
import { inputOf } from "./look-through.ts";

type ScanFlags = { staged?: boolean; json?: boolean };

export function secretsCommand(world: World, finish: Finish): Command {
  const command = new Command("secrets")
    .description("Find secrets in files and before commits.")
    .addHelpText("after", "\nExamples:\n  tool secrets scan --staged\n  tool secrets install-hook");
  command
    .command("scan")
    .description("Look for keys, tokens, passwords and key files. Exit code 1 when there are any, or when something could not be scanned.")
    .argument("[path...]", "files and folders; - for standard input; without any: this folder")
    .option("--staged", "scan what is staged for the next commit")
    .option("--json", "print JSON")
    .addHelpText("after", scanHelp)
    .action((paths: string[], flags: ScanFlags) => scan(world, finish, { paths, flags }));
  command
    .command("install-hook")
    .description("Install a git hook that looks for secrets before each commit.")
    .option("--force", "keep an existing hook, and run it first")
    .addHelpText("after", "\nExample:\n  tool secrets install-hook")
    .action(async ({ force = false }: { force?: boolean }) => {
      const { install } = await world.edges.commitHook();
      told(
        world,
        finish,
        await install(world.cwd, { self: world.self, force }),
        (path) => `Before each commit, git now looks for secrets: ${path}`,
      );
    });
  command
    .command("uninstall-hook")
    .description("Remove the hook again.")
    .addHelpText("after", "\nExample:\n  tool secrets uninstall-hook")
    .action(async () => {
      const { uninstall } = await world.edges.commitHook();
      told(world, finish, await uninstall(world.cwd), (path) => `The hook is gone: ${path}`);
    });
  return command;
}

const scanHelp = `
A line with the words tool:allow-secret is skipped, and counted. In a folder, what git ignores is left out, and named.

Examples:
  tool secrets scan
  tool secrets scan --staged
  tool secrets scan src config.yml --json`;

async function scan(world: World, finish: Finish, { paths, flags }: { paths: string[]; flags: ScanFlags }): Promise<void> {
  if (flags.staged && paths.length > 0) throw new UsageError("--staged scans what is staged, and takes no paths.");
  const { scanFiles, findingLine } = await import("../secrets/scan-files.ts");
  const { scanner, files, staged } = await world.edges.secrets();
  const given = paths.length > 0 ? paths : ["."];
  const found = await readable(async () =>
    scanFiles(flags.staged ? await staged(world.cwd) : sources(world, given, files), {
      scanner,
      names: flags.staged ? "commit" : "keys",
    }),
  );
  const { findings, binaries, unread, allowed } = found;
  const isClean = findings.length === 0 && unread.length === 0;
  if (flags.json) {
    world.stdout.write(`${JSON.stringify({ ok: isClean, ...found })}\n`);
  } else {
    const beside = [
      unread.length > 0 && `${unread.length} not scanned`,
      binaries > 0 && `${binaries} binary not scanned`,
      allowed > 0 && `${allowed} allowed by a comment on the line`,
    ].filter(Boolean);
    const count = findings.length === 0 ? "No secrets" : plural(findings.length, "secret");
    const summary = `${count} in ${found.files} ${flags.staged ? "staged " : ""}${found.files === 1 ? "file" : "files"}${beside.length > 0 ? ` (${beside.join("; ")})` : ""}`;
    const { visibleLine } = await import("../screen/visible-text.ts");
    const lines = [
      ...findings.map(findingLine),
      ...unread.map(({ path, why }) => `${path} was not scanned: ${asTyped(why, world.command)}`),
    ];
    const left = found.ignored.length > 0 ? [leftOut(found.ignored, world.command)] : [];
    world.stdout.write(
      [...lines, summary, ...left]
        .map(visibleLine)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }
  finish(isClean ? 0 : 1);
}

/** A folder is one of them, whatever is in it. */
function leftOut(ignored: string[], command: string): string {
  const [first = ""] = ignored;
  const named = `${ignored.slice(0, 5).join(", ")}${ignored.length > 5 ? ` and ${ignored.length - 5} more` : ""}`;
  return `Left out because git ignores ${ignored.length === 1 ? "it" : "them"}: ${named}. To scan one, name it: ${command} secrets scan ${shellWord(first)}`;
}

type Files = Awaited<ReturnType<World["edges"]["secrets"]>>["files"];

async function* sources(world: World, paths: string[], files: Files) {
  for (const path of paths) {
    if (path !== "-") yield* files(world.cwd, [path]);
    else yield { path: "-", bytes: await inputOf(world) };
  }
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const { code, path } = error as { code: string; path?: string };
    const why = code === "ENOENT" ? "there is no such file or folder" : diskErrorWords(code);
    throw new UsageError(path && why ? `Cannot look for secrets in ${path}: ${why}.` : `Cannot look for secrets: ${error.message}.`);
  }
}

function told(world: World, finish: Finish, outcome: HookOutcome, text: (path: string) => string): void {
  if (outcome.ok) world.stdout.write(`${text(outcome.path)}\n`);
  else world.stderr.write(errorLine(outcome.reason));
  finish(outcome.ok ? 0 : 1);
}
