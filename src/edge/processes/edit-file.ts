// Opens the user's editor on a file and waits until it ends. The editor has the terminal meanwhile.
import { spawn } from "node:child_process";

/** Resolves with one sentence if there is no editor or it failed; the caller reads the edited file. */
export function editFile(path: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) return Promise.resolve(`No editor is set. Set EDITOR, or edit ${path} yourself.`);
  return new Promise((resolve) => {
    // Through the shell, because the variable may contain options: EDITOR="code --wait".
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit", env });
    child.once("error", ({ message }) => resolve(`Cannot start the editor ${editor}: ${message}.`));
    child.once("close", (code) => resolve(code === 0 ? undefined : `The editor ${editor} ended with ${code ?? "a signal"}.`));
  });
}
