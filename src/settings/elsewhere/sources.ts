// Where other agents keep what a person has set, and how each file is read.

import { isRecord } from "../../wording/is-record.ts";
import { type Found, leftOut, nothing } from "./found.ts";
import { readServers, type ServerForm } from "./read-servers.ts";
import { readClaudeSettings } from "./read-settings.ts";

/** `scope`: whose file here it would go to. `path`: below the home, or below the project. */
export type Source = { scope: "user" | "project" | "local"; path: string; read(value: unknown): Found };

/** A file or folder that is named only, with what to do about it. */
export type Unread = { below: "home" | "project"; path: string; why: string };

const inKey =
  (key: string, form: ServerForm) =>
  (value: unknown): Found => {
    if (!isRecord(value)) return leftOut("the file", "It is not an object.");
    return value[key] === undefined ? nothing : readServers(value[key], form);
  };

/** Settings of which the servers alone have a form of their own here. */
const serversAlone =
  (key: string, form: ServerForm) =>
  (value: unknown): Found => {
    const found = inKey(key, form)(value);
    const others = isRecord(value) ? Object.keys(value).filter((name) => name !== key && name !== "$schema") : [];
    return {
      ...found,
      leftOut: [...found.leftOut, ...others.map((what) => ({ what, why: "There is no setting for it that means the same." }))],
    };
  };

export const sources: readonly Source[] = [
  { scope: "user", path: ".claude/settings.json", read: readClaudeSettings },
  { scope: "project", path: ".claude/settings.json", read: readClaudeSettings },
  { scope: "local", path: ".claude/settings.local.json", read: readClaudeSettings },
  { scope: "user", path: ".cursor/mcp.json", read: inKey("mcpServers", "editor") },
  { scope: "project", path: ".cursor/mcp.json", read: inKey("mcpServers", "editor") },
  { scope: "project", path: ".vscode/mcp.json", read: inKey("servers", "editor") },
  { scope: "user", path: ".gemini/settings.json", read: serversAlone("mcpServers", "gemini") },
  { scope: "project", path: ".gemini/settings.json", read: serversAlone("mcpServers", "gemini") },
  { scope: "user", path: ".config/opencode/opencode.json", read: serversAlone("mcp", "opencode") },
  { scope: "project", path: "opencode.json", read: serversAlone("mcp", "opencode") },
];

const toAgents = "Only AGENTS.md, TOOL.md and CLAUDE.md are read: /init in a session takes it into account.";
const copied = (folder: string) => `To use them: cp -R ~/.claude/${folder} ~/.tool/`;

export const unread: readonly Unread[] = [
  { below: "home", path: ".claude/CLAUDE.md", why: "To use it: cp ~/.claude/CLAUDE.md ~/.tool/AGENTS.md" },
  ...["agents", "skills", "commands"].map((folder): Unread => ({ below: "home", path: `.claude/${folder}`, why: copied(folder) })),
  {
    below: "home",
    path: ".codex/config.toml",
    why: "It is no JSON. Add its servers with the command mcp add, its rules with permissions add.",
  },
  { below: "home", path: ".gemini/GEMINI.md", why: "To use it: cp ~/.gemini/GEMINI.md ~/.tool/AGENTS.md" },
  ...["GEMINI.md", ".cursorrules", ".cursor/rules", ".windsurfrules", ".github/copilot-instructions.md"].map(
    (path): Unread => ({ below: "project", path, why: toAgents }),
  ),
];
