// The commands of a worker. A command that failed because others' files are read-only runs again without that limit once a person allows it; if
// nobody can be asked, the worker is suspended.
import type { Policy } from "../../permissions/policy.ts";
import type { Shell, ShellRun } from "../../tools/shell.ts";
import type { Permit } from "../ports/permit.ts";

/** `onMissing`: nobody could be asked. */
export type Bounds = { policy: Policy; decide: Permit; onMissing?: (tool: string, permission: Missing) => void };
export type Missing = Extract<Awaited<ReturnType<Permit>>, { allowed: false }>;

export function boundedShell(shell: Shell, { policy, decide, onMissing }: Bounds): Shell {
  return {
    async run(request) {
      const { ownFiles } = policy;
      if (!ownFiles || request.others) return shell.run(request);
      const wall = watchFor(readOnly);
      const onOutput = (bytes: Buffer) => {
        wall.see(bytes);
        request.onOutput(bytes);
      };
      const ran = await shell.run({ ...request, onOutput });
      if (!wall.met() || !hasFailed(ran) || policy.sandbox.kind !== "active") return ran;
      const call = { tool: "Bash", input: { command: request.command }, hook: { ask: { reason: whyAsked(policy) } } };
      const permission = await decide(call, request.signal);
      if (permission.allowed) {
        request.onOutput(Buffer.from("\n[A person allowed it to change other files, and it runs again:]\n"));
        return shell.run({ ...request, others: true });
      }
      if (permission.missing) onMissing?.("Bash", permission);
      request.onOutput(Buffer.from(`\n[It was kept from changing files that are not this worker's. ${permission.reason} ${again}]\n`));
      return ran;
    },
  };
}

const again = "Once that is allowed, run it again.";

const hasFailed = ({ end }: ShellRun) => end.kind === "exited" && end.code !== 0;

function whyAsked({ cwd, ownFiles = [] }: Policy): string {
  const names = ownFiles.map((file) => (file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file));
  return `It tried to change files that are not among the files of this worker: ${names.join(", ")}`;
}

const readOnly = /Read-only file system|EROFS/i;

/** The message may arrive in two chunks. */
function watchFor(words: RegExp) {
  let tail = "";
  let seen = false;
  return {
    see(bytes: Buffer) {
      tail = (tail + bytes.toString("latin1")).slice(-(bytes.length + 100));
      seen ||= words.test(tail);
      tail = tail.slice(-100);
    },
    met: () => seen,
  };
}
