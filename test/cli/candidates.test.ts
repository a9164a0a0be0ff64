import { describe, expect, it } from "vitest";
import { nextOn } from "../../src/cli/candidates.ts";
import { programTree } from "./program-tree.ts";

const tree = programTree();
const words = (...line: string[]) => nextOn(tree, line).candidates.map(({ value }) => value);
const looked = (...line: string[]) => {
  const { values, before } = nextOn(tree, line);
  return { ...values, before };
};

describe("nextOn()", () => {
  it("offers the visible commands", () => {
    expect(words("")).toEqual([
      "team",
      "batch",
      "demo",
      "tasks",
      "changes",
      "take",
      "drop",
      "watch",
      "agents",
      "hooks",
      "skills",
      "mcp",
      "acp",
      "permissions",
      "config",
      "ignore",
      "import",
      "display",
      "place",
      "doctor",
      "secrets",
      "privacy",
      "completion",
      "help",
    ]);
    expect(words("team", "task", "")).toEqual(["create", "get", "list", "update", "restore"]);
  });

  it("offers help topics, and definitions to show", () => {
    expect(words("help", "")).toEqual(expect.arrayContaining(["team", "permissions", "modes"]));
    expect(words("help", "team", "task", "")).toEqual(expect.arrayContaining(["create", "update"]));
    expect([words("help", "team", ""), words("help", "nothing", "")].map((all) => all.includes("modes"))).toEqual([false, false]);
    expect(looked("agents", "show", "")).toMatchObject({ kind: "definitions" });
    expect(looked("agents", "resume", "").kind).toBeUndefined();
  });

  it("offers a command's own options, once unless they may be repeated", () => {
    expect(words("team", "status", "--")).toEqual(["--watch", "--team", "--json", "--help"]);
    expect(words("team", "status", "--json", "--team", "atlas", "-")).toEqual(["--watch", "--help"]);
    expect(words("team", "--allow", "Edit", "--print", "-")).toEqual(expect.arrayContaining(["--allow"]));
    expect(words("team", "--allow", "Edit", "--print", "-")).not.toContain("--print");
  });

  it("offers the choices of an option and of an argument", () => {
    expect(words("team", "--permission-mode", "")).toEqual(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]);
    expect(words("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("says what must be looked up, and for which team", () => {
    expect(looked("team", "status", "--team", "")).toEqual({ kind: "teams", team: undefined, before: "" });
    expect(looked("team", "stop", "")).toEqual({ kind: "teams", team: undefined, before: "" });
    expect(looked("team", "send", "--team", "atlas", "")).toEqual({ kind: "recipients", team: "atlas", before: "" });
    expect(looked("team", "send", "ada", "")).toEqual({ before: "" });
    expect(looked("team", "task", "update", "--team=atlas", "")).toEqual({ kind: "tasks", team: "atlas", before: "" });
    expect(looked("team", "exec", "--as", "")).toEqual({ kind: "members", team: undefined, before: "" });
    expect(looked("team", "--display", "")).toEqual({ kind: "displays", team: undefined, before: "" });
  });

  it("offers resumable teams for an optional value, and options before and after it", () => {
    expect(looked("team", "--resume", "")).toEqual({ kind: "resumableTeams", team: undefined, before: "" });
    expect(looked("team", "--resume=at")).toEqual({ kind: "resumableTeams", team: undefined, before: "--resume=" });
    expect(looked("--resume", "")).toEqual({ kind: "sessions", team: undefined, before: "" });
    expect(looked("team", "--model", "")).toEqual({ kind: "models", team: undefined, before: "" });
    expect(looked("batch", "--resume", "")).toEqual({ kind: "resumableBatches", team: undefined, before: "" });
    expect(looked("batch", "--retry=7")).toEqual({ kind: "retriableBatches", team: undefined, before: "--retry=" });
    expect(words("team", "--resume", "--pri")).toContain("--print");
    expect(words("team", "--resume", "--pri")).not.toContain("--resume");
    expect(looked("team", "--resume", "--display", "")).toEqual({ kind: "displays", team: undefined, before: "" });
    expect(words("team", "status", "--team", "atlas", "-")).toEqual(words("team", "--resume", "atlas", "status", "--team", "atlas", "-"));
  });

  it("keeps the text before the completed part", () => {
    expect(looked("team", "status", "--team=at")).toEqual({ kind: "teams", team: undefined, before: "--team=" });
    expect(looked("team", "task", "create", "--depends", "task-1,ta")).toEqual({ kind: "tasks", team: undefined, before: "task-1," });
    expect(looked("team", "--places", "gpu:4,sl")).toEqual({ kind: "places", team: undefined, before: "gpu:4," });
    expect(looked("team", "task", "create", "--depends=task-1,")).toEqual({ kind: "tasks", team: undefined, before: "--depends=task-1," });
  });

  it("understands the words of bash, which splits at =", () => {
    expect(looked("team", "status", "--team", "=", "at")).toEqual({ kind: "teams", team: undefined, before: "" });
    expect(looked("team", "send", "--team", "=", "atlas", "")).toEqual({ kind: "recipients", team: "atlas", before: "" });
  });

  it("offers no options after --, and nothing for free text", () => {
    expect(nextOn(tree, ["team", "status", "--", "-"])).toEqual({
      candidates: [],
      values: { kind: "teams", team: undefined, first: undefined },
      before: "",
    });
    expect(nextOn(tree, ["team", "task", "create", "--title", ""])).toEqual({ candidates: [], before: "" });
  });
});
