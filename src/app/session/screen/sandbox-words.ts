// What the status line of a session says of its sandbox.
import type { SandboxState } from "../../../permissions/policy.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import { introduceSandbox, sandboxNotice } from "../../settings/sandbox-here.ts";
import type { Solo } from "../open-session.ts";
import type { Attended } from "./attended.ts";

/** Whether commands are sandboxed, once that is known. */
export function sandboxNow({ pane, style, world }: Attended, { work }: Solo): () => string {
  let words = "";
  const look = async () => {
    const state = await work.sandbox();
    words = sandboxWords(state, work.settings());
    return state;
  };
  void look().then((state) => {
    const notice = sandboxNotice(state, "/doctor");
    if (notice) pane.warn(visibleLine(notice));
    pane.refresh();
    return introduceSandbox(world, { state, settings: work.settings(), print: (line) => pane.print(style.dim(`  ${line}`), 2) });
  });
  return () => {
    void look(); // a command may lose the sandbox
    return words;
  };
}

function sandboxWords({ kind }: SandboxState, { effective }: LoadedSettings): string {
  switch (kind) {
    case "active":
      return effective.sandbox.network === undefined ? "sandbox" : `sandbox, ${effective.sandbox.network ? "network on" : "offline"}`;
    case "off":
      return "sandbox off";
    case "missing":
      return "no sandbox";
    case "lost":
      return "sandbox lost";
    case "refused":
      return "no sandbox, no commands";
  }
}
