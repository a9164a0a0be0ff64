// Shows a text in the person's pager and waits until they leave it. The pager has the terminal meanwhile.
import { spawn } from "node:child_process";

/** As git chooses it. False if there is none, or it could not be started: the text has not been shown. */
export function page(text: string, env: Record<string, string | undefined>): Promise<boolean> {
  const pager = env["GIT_PAGER"] ?? env["PAGER"] ?? "less";
  if (pager === "" || pager === "cat") return Promise.resolve(false);
  return new Promise((resolve) => {
    // Through the shell, because the variable may contain options. LESS as git sets it: colours, and no pager for what fits.
    const child = spawn("/bin/sh", ["-c", pager], { stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", LV: "-c", ...env } });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code !== 126 && code !== 127));
    child.stdin.on("error", () => {}); // left before the end of the text
    child.stdin.end(text);
  });
}
