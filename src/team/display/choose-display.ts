// Which display a team gets: what the person named works or fails; only `auto` chooses, and says why.
import type { DriverCommands } from "../../settings/display-settings.ts";
import { type DisplayMode, displayModes } from "./display.ts";
import type { Driver } from "./driver-display.ts";

/** What the user asked for, by precedence. An empty text counts as none. */
export type Wishes = {
  /** `--display` */
  flag?: string;
  /** `TOOL_DISPLAY_MODE` */
  env?: string;
  /** `display` in the settings */
  setting?: string;
  /** The displays that the person has configured. */
  drivers?: Readonly<Record<string, DriverCommands>>;
};

export type DisplayFacts = {
  insideTmux: boolean;
  /** As `tmux -V` names it, such as `3.3a`; undefined without tmux. */
  tmuxVersion: string | undefined;
  /** Node's name of the system: `linux`, `darwin`. */
  platform: string;
  /** The lead's terminal is iTerm2. */
  iterm2: boolean;
  /** There is an interactive terminal. */
  terminal: boolean;
  /** A build of node-pty can be loaded. */
  pty: boolean;
};

export type DisplayChoice =
  | { ok: true; mode: "tmux"; where: "beside" | "private" | "detached"; why: string }
  | { ok: true; mode: "iterm2"; where: "tabs"; why: string }
  | { ok: true; mode: "in-process"; where: "lead"; why: string }
  | { ok: true; mode: "driver"; where: "driver"; driver: Driver; why: string }
  | { ok: true; mode: "plain"; where: "logs"; why: string }
  | { ok: false; reason: string };

export function chooseDisplay({ flag, env, setting, drivers = {}, facts }: Wishes & { facts: DisplayFacts }): DisplayChoice {
  const [wish, source] = flag
    ? [flag, "--display"]
    : env
      ? [env, "TOOL_DISPLAY_MODE"]
      : setting
        ? [setting, 'the setting "display"']
        : ["auto", "auto"];
  const commands = Object.hasOwn(drivers, wish) ? drivers[wish] : undefined;
  if (commands) return { ok: true, mode: "driver", where: "driver", driver: { name: wish, commands }, why: `${source} says so` };
  if (!isDisplayMode(wish)) {
    const known = [...displayModes, ...Object.keys(drivers)].join(", ");
    return { ok: false, reason: `unknown display "${wish}" (from ${source}). Use one of ${known}. Nothing was started.` };
  }
  if (wish === "auto") return automatic(facts);
  const failed = obstacle[wish](facts);
  if (failed) return { ok: false, reason: `cannot start the team in ${wish} mode: ${failed}.\n${instead(wish, facts)}` };
  return chosen(wish, facts, `${source} says so`);
}

type Named = Exclude<DisplayMode, "auto">;

export function isDisplayMode(wish: string): wish is DisplayMode {
  return displayModes.some((mode) => mode === wish);
}

/** The check that fails, if one does. */
const obstacle: Record<Named, (facts: DisplayFacts) => string | undefined> = {
  tmux: ({ tmuxVersion }) => {
    if (tmuxVersion === undefined) return "tmux is not installed";
    return isOld(tmuxVersion) ? `tmux ${tmuxVersion} is too old, 3.2 is needed` : undefined;
  },
  iterm2: ({ platform, iterm2 }) => {
    if (platform !== "darwin") return `iTerm2 runs on macOS only, and this is ${systemNames[platform] ?? platform}`;
    return iterm2 ? undefined : "this terminal is not iTerm2";
  },
  "in-process": ({ pty }) => (pty ? undefined : "no build of the package node-pty can be loaded"),
};

const systemNames: Record<string, string> = { linux: "Linux", darwin: "macOS", win32: "Windows", freebsd: "FreeBSD", openbsd: "OpenBSD" };

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = (version.match(/\d+/g) ?? []).map(Number);
  return major < 3 || (major === 3 && minor < 2);
}

function chosen(mode: Named, { insideTmux, terminal }: DisplayFacts, why: string): DisplayChoice {
  switch (mode) {
    case "tmux":
      return { ok: true, mode, where: !terminal ? "detached" : insideTmux ? "beside" : "private", why };
    case "iterm2":
      return { ok: true, mode, where: "tabs", why };
    case "in-process":
      return { ok: true, mode, where: "lead", why };
  }
}

function automatic(facts: DisplayFacts): DisplayChoice {
  const { insideTmux, tmuxVersion, iterm2, terminal, pty } = facts;
  const noTmux = obstacle.tmux(facts);
  if (terminal && insideTmux && !noTmux) return chosen("tmux", facts, "this terminal is inside tmux");
  if (terminal && iterm2 && !obstacle.iterm2(facts)) return chosen("iterm2", facts, "this terminal is iTerm2");
  if (!noTmux)
    return chosen(
      "tmux",
      facts,
      terminal ? `tmux ${tmuxVersion} is installed` : `there is no terminal, and tmux ${tmuxVersion} is installed`,
    );
  if (pty) return chosen("in-process", facts, noTmux);
  return { ok: true, mode: "plain", where: "logs", why: `${noTmux}, and ${obstacle["in-process"](facts)}` };
}

function instead(mode: Named, facts: DisplayFacts): string {
  const names: Record<Named, string> = {
    tmux: `--display tmux (tmux ${facts.tmuxVersion} is here)`,
    iterm2: "--display iterm2",
    "in-process": "--display in-process",
  };
  const working = (["tmux", "iterm2", "in-process"] as const).filter((other) => other !== mode && !obstacle[other](facts));
  return working.length > 0
    ? `Use ${working.map((other) => names[other]).join(" or ")}.`
    : "Install tmux 3.2 or newer, or leave the choice to --display auto.";
}
