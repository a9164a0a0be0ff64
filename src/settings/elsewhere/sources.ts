// Where other agents keep what a person has set, and how each file is read.

import { isRecord } from "../../wording/is-record.ts";
import { type Found, leftOut, nothing } from "./found.ts";
import { readCodexSettings } from "./read-codex.ts";
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
  { scope: "user", path: ".config/opencode/opencode.jsonc", read: serversAlone("mcp", "opencode") },
  { scope: "project", path: "opencode.json", read: serversAlone("mcp", "opencode") },
  { scope: "project", path: "opencode.jsonc", read: serversAlone("mcp", "opencode") },
  { scope: "user", path: ".codex/config.toml", read: readCodexSettings },
  { scope: "project", path: ".codex/config.toml", read: readCodexSettings },
];

/** Their files may be programs, and are copied whole. */
export const unread: readonly Unread[] = [{ below: "home", path: ".claude/skills", why: "To use them: cp -R ~/.claude/skills ~/.tool/" }];
