// What `tool team answer` says of questions that are open in a pane alone.
import { expect, it } from "vitest";
import { askingInPanes, inPanesText } from "../../../src/screen/questions/pending-text.ts";
import type { MemberView } from "../../../src/team/report/team-status.ts";

const member = (name: string, state: MemberView["state"], doing: string) => ({
  name,
  role: name === "lead" ? ("lead" as const) : ("teammate" as const),
  state,
  doing,
  how: "",
  pid: 7,
});
const place = { kind: "tmux" as const, where: "private" as const, panes: [] };

it("says who asks in its pane, what, and where that is", () => {
  const members = [member("lead", "waiting_permission", "whether to trust the settings of this project"), member("ada", "working", "Bash")];
  const asking = askingInPanes(members, []);
  expect(inPanesText({ team: "atlas", place, members }, { asking, command: "tool" })).toBe(
    "lead asks a question in its pane: whether to trust the settings of this project. Answer it there.\nShown in tmux, on a server of its own. See it: tool team attach --team atlas",
  );
});

it("leaves out whose question is open as a request", () => {
  const members = [member("lead", "idle", ""), member("ada", "waiting_permission", "Bash"), member("bo", "waiting_permission", "Bash")];
  expect(askingInPanes(members, [{ from: "ada" }]).map(({ name }) => name)).toEqual(["bo"]);
});
