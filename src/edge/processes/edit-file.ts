// Opens the person's editor on a file and waits until it ends. The terminal is the editor's meanwhile.
import { spawn } from "node:child_process";

/** Resolves with one sentence when there is no editor or it failed; a file that was edited is the caller's to read. */
export function editFile(path: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) return Promise.resolve(`No editor is set. Set EDITOR, or edit ${path} yourself.`);
  return new Promise((resolve) => {
    // By the shell, since people set options too: EDITOR="code --wait".
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit", env });
    child.once("error", ({ message }) => resolve(`Cannot start the editor ${editor}: ${message}.`));
    child.once("close", (code) => resolve(code === 0 ? undefined : `The editor ${editor} ended with ${code ?? "a signal"}.`));
  });
}
