// One iTerm2 tab per teammate, through osascript. The scripts have only been run with a stand-in for osascript, never on macOS: see the
// test.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Display } from "../../../team/display/display.ts";
import { run } from "../../processes/run.ts";
import { DisplayError } from "../display-error.ts";
import { type Environment, keptEnvironment } from "../kept-environment.ts";
import { lastWords } from "../last-words.ts";
import { requireStart } from "../start-check.ts";
import { launcher, openTab, withSession } from "./scripts.ts";

export type Iterm2Options = {
  /** The lead's ITERM_SESSION_ID: tabs open in the window that contains it, or in the current one. */
  leadSession: string | undefined;
  platform: NodeJS.Platform;
  env: Environment;
};

/** Session ids are unique forever, so an id alone identifies a session. Every method throws DisplayError if iTerm2 cannot be reached. */
export function iterm2Display({ leadSession = "", platform, env }: Iterm2Options): Display {
  const osascript = async (script: string, values: string[]) => {
    if (platform !== "darwin") throw new DisplayError(`iTerm2 runs on macOS only, and this is ${platform}. ${otherDisplays}`);
    // Values are arguments of the script, never part of its text. The timeout leaves time for a consent dialog.
    const result = await run(["osascript", "-", ...values], {
      input: script,
      env: keptEnvironment(env),
      extendEnv: false,
      timeoutMs: 60_000,
    });
    if (result.code === 0) return result.stdout.replace(/\n$/, "");
    throw new DisplayError(
      explain(result.failed ?? (result.timedOut ? "no answer within 60 s" : result.stderr.trim().replace(/^\d+:\d+: /, ""))),
    );
  };

  return {
    kind: "iterm2",
    async open(request) {
      requireStart(request);
      const folder = mkdtempSync(join(isPlain(tmpdir()) ? tmpdir() : "/tmp", "tool-tab-"));
      const path = join(folder, "start");
      try {
        writeFileSync(path, launcher({ ...request, env: { ...keptEnvironment(env), ...request.env } }), { mode: 0o700 });
        return { kind: "iterm2", session: await osascript(openTab, [path, leadSession.replace(/^.*:/, "")]) };
      } catch (error) {
        rmSync(folder, { recursive: true, force: true });
        throw error;
      }
    },
    async state(handle) {
      if (handle.kind !== "iterm2") return "server_gone";
      const answer = await osascript(withSession('return "open"'), [handle.session]);
      return answer === "open" || answer === "gone" ? answer : "server_gone";
    },
    async lastWords(handle) {
      if (handle.kind !== "iterm2") return "";
      const text = await osascript(withSession('return "open" & linefeed & (contents of s)'), [handle.session]);
      return text.startsWith("open\n") ? lastWords(text.split("\n").slice(1), undefined) : "";
    },
    async label(handle, text) {
      if (handle.kind === "iterm2")
        await osascript(withSession("set name of s to item 2 of argv"), [handle.session, text.replace(/\p{C}/gu, " ")]);
    },
    async close(handle) {
      if (handle.kind === "iterm2") await osascript(withSession("close s"), [handle.session]);
    },
    async dispose() {
      // Tabs of failed programs stay for the user, and iTerm2 is the user's own.
    },
  };
}

/** iTerm2 splits a command at blanks, and interprets quotes and variables. */
const isPlain = (path: string) => /^[\w./+-]+$/.test(path);

const otherDisplays = "Use --display tmux or --display in-process.";

/** Error numbers are those of Apple's event manager; a missing application also causes a syntax error, because its terms are unknown. */
function explain(complaint: string): string {
  if (/\(-1743\)/.test(complaint)) {
    return `macOS does not allow this program to control iTerm2 (error -1743). Allow it under System Settings, Privacy & Security, Automation. Otherwise: --display tmux or --display in-process.`;
  }
  if (/\((-1728|-10814|-2741|-600)\)/.test(complaint))
    return `iTerm2 is not installed, or cannot be started (${complaint}). ${otherDisplays}`;
  return `iTerm2 cannot be asked for a tab: ${complaint}. ${otherDisplays}`;
}
