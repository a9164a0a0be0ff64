// The sandbox on Linux: bubblewrap's arguments for a view, and the trial run that tells whether it works on this machine.
import type { Mount, SandboxView } from "../permissions/sandbox-view.ts";
import { helperProgram } from "./helper-programs.ts";
import { run } from "./run.ts";

/** `base`: the program and what every sandbox has. */
export type Bwrap = { ok: true; base: string[] } | { ok: false; why: string };

/** Tries with and without forbidding further user namespaces, which older versions and some containers do not know. */
export async function tryBwrap(): Promise<Bwrap> {
  const [bwrap, nothing] = [helperProgram("bwrap"), helperProgram("true")];
  if (bwrap.kind === "missing") return { ok: false, why: bwrap.why };
  if (nothing.kind === "missing") return { ok: false, why: nothing.why };
  let why = "";
  for (const forbidding of [["--disable-userns"], []]) {
    const base = [bwrap.path, ...isolation, ...forbidding];
    const { code, stderr, failed } = await run([...base, ...ground, "--unshare-net", nothing.path], { timeoutMs: 5000 });
    if (code === 0) return { ok: true, base };
    why = failed ?? (stderr.trim().split("\n")[0] || `bwrap ended with ${code}`);
  }
  return { ok: false, why };
}

/**
 * bwrap(1). A session of its own and no inherited terminal: nothing can be typed into it (TIOCSTI). No capability is left even to root,
 * so that no mount can be undone. It ends with us.
 */
const isolation =
  "bwrap --die-with-parent --new-session --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL"
    .split(" ")
    .slice(1);

/** The kernel's settings are covered by hand: bwrap leaves /proc/sys writable when it is run by root. */
const ground =
  "--ro-bind / / --dev /dev --proc /proc --ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger".split(
    " ",
  );

/** `infoFd`: where bwrap writes the process id of what it started. */
export function bwrapArgs(base: string[], view: SandboxView, infoFd: number): string[] {
  const mounts = view.mounts.flatMap(mountArgs);
  const sealed = view.mounts.flatMap((mount) =>
    mount.kind === "hidden" && mount.as === "folder" && mount.decoy === undefined ? ["--remount-ro", mount.path] : [],
  );
  const network = view.network ? [] : ["--unshare-net"];
  return [...base, ...network, ...ground, ...mounts, ...sealed, "--chdir", view.cwd, "--info-fd", String(infoFd), "--"];
}

function mountArgs(mount: Mount): string[] {
  switch (mount.kind) {
    case "writable":
      return ["--bind", mount.path, mount.path];
    case "fixed":
      return ["--ro-bind-try", mount.path, mount.path];
    case "hidden":
      if (mount.decoy !== undefined) return ["--ro-bind", mount.decoy, mount.path];
      return mount.as === "file" ? ["--ro-bind", "/dev/null", mount.path] : ["--perms", "0555", "--tmpfs", mount.path];
    case "scratch":
      return mount.from === undefined ? ["--tmpfs", mount.path] : ["--bind", mount.from, mount.path];
  }
}
