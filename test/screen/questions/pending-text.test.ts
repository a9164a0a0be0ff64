// What `tool team answer` says where no request of the team is open.
import { expect, it } from "vitest";
import { nonePendingText } from "../../../src/screen/questions/pending-text.ts";
import type { MemberView } from "../../../src/team/report/team-status.ts";

const lead = (state: MemberView["state"], doing: string) => ({ name: "lead", role: "lead" as const, state, doing, how: "", pid: 7 });
const place = { kind: "tmux" as const, where: "private" as const, panes: [] };

it("says who asks in its pane, what, and where that is", () => {
  const asking = lead("waiting_permission", "whether to trust the settings of this project");
  expect(nonePendingText({ team: "atlas", place, members: [asking] }, "tool")).toBe(
    "lead asks a question in its pane: whether to trust the settings of this project. Answer it there.\nShown in tmux, on a server of its own. See it: tool team attach --team atlas",
  );
});

it("says that nobody waits where nobody asks", () => {
  expect(nonePendingText({ team: "atlas", place, members: [lead("working", "Bash")] }, "tool")).toBe(
    "Nobody in team atlas waits for an answer.",
  );
});
