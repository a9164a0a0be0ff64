// What is shown of each state of a member: apart from the status of a team, since every pane of one shows it.
import type { MemberView } from "../../team/report/team-status.ts";
import type { State } from "../style.ts";

export const memberStates: Record<MemberView["state"], { state: State; words: string }> = {
  starting: { state: "waiting", words: "starting" },
  working: { state: "working", words: "working" },
  waiting_permission: { state: "needs_you", words: "needs you" },
  waiting_person: { state: "needs_you", words: "waits for you" },
  waiting_provider: { state: "waiting", words: "waits for its model" },
  idle: { state: "waiting", words: "idle" },
  stopping: { state: "waiting", words: "stopping" },
  suspended: { state: "needs_you", words: "suspended" },
  hung: { state: "needs_you", words: "may hang" },
  ended: { state: "waiting", words: "ended" },
  died: { state: "failed", words: "died" },
  elsewhere: { state: "working", words: "elsewhere" },
  not_started: { state: "waiting", words: "no process" },
};
