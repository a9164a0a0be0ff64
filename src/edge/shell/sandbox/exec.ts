// The sandbox on macOS: a profile for sandbox-exec(1), in which the last matching rule decides. Written from its documentation and not yet
// run.
import type { Mount, SandboxView } from "../../../agent/ports/mounts.ts";

/** `proxyPort`: of this machine, the only one that may be connected to. */
export function sandboxExecArgs(program: string, view: SandboxView, proxyPort?: number): string[] {
  return [program, "-p", profileOf(view, proxyPort), "--"];
}

/** macOS has no mount namespaces: a private place is the same for every process, and only named places are denied. */
export function profileOf(view: SandboxView, proxyPort?: number): string {
  // The private place comes last, because it is in this program's own folder, which is hidden.
  const isScratch = (mount: Mount) => mount.kind === "scratch";
  const rules = [...view.mounts.filter((mount) => !isScratch(mount)), ...view.mounts.filter(isScratch)].flatMap(mountRules);
  const sockets = view.socketsClosed ? ["(deny network* (remote unix-socket) (local unix-socket))"] : [];
  const proxy = proxyPort === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`];
  const network = view.network ? sockets : ["(deny network*)", ...proxy];
  const devices = ["null", "zero", "random", "urandom", "dtracehelper", "tty"].map((name) => `(literal "/dev/${name}")`).join(" ");
  return ["(version 1)", "(allow default)", ...network, "(deny file-write*)", `(allow file-write* ${devices})`, ...rules, signals].join(
    "\n",
  );
}

function mountRules(mount: Mount): string[] {
  const here = `(subpath ${quoted(mount.path)})`;
  switch (mount.kind) {
    case "writable":
      return [`(allow file-read* file-write* ${here})`];
    case "scratch":
      return mount.from === undefined ? [] : [`(allow file-read* file-write* (subpath ${quoted(mount.from)}))`];
    case "fixed":
      return [`(allow file-read* ${here})`, `(deny file-write* ${here})`];
    case "hidden":
      return [`(deny file-read* file-write* ${here})`, `(deny network-outbound ${here})`];
  }
}

/** Commands may signal and inspect only processes that they started. */
const signals = "(deny signal) (allow signal (target same-sandbox)) (deny process-info*) (allow process-info* (target same-sandbox))";

const quoted = (path: string) => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
