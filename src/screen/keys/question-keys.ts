// The keys of an open question as one table: permissions, questions of an agent, plans, and every list to pick from. No clock decides: a key acts
// when it is pressed.
import { matchesKey } from "@earendil-works/pi-tui";
import { watchKey } from "../agents/agents-view.ts";
import { detailKey } from "../events/call-details.ts";
import { isText, isTwoEscapes } from "./keys.ts";

/** `unseen`: nothing of it has been drawn yet, so nobody can have decided. `listing`, `filtering`: a list that is narrowed by what is typed. */
export type Situation = "unseen" | "choosing" | "listing" | "typing" | "filtering" | "viewing";

/** `pane`: the key is not the question's. `view`: show all of it; in the view, every key is the view's. */
export type Act = "pane" | "nothing" | "pick" | "move" | "take" | "leave" | "type" | "clear" | "view";

/** `digit`: of a choice that is offered. `show`: the v of a question that has more to show. `pane`: a key of the session's screen. */
type KeyKind = "digit" | "show" | "text" | "vertical" | "sideways" | "enter" | "escape" | "interrupt" | "suspend" | "pane" | "other";

const choosing = row("nothing", {
  digit: "pick",
  show: "view",
  text: "type",
  vertical: "move",
  sideways: "move",
  enter: "take",
  escape: "leave",
  interrupt: "pane",
  suspend: "pane",
  pane: "pane",
});

const acts: Record<Situation, Record<KeyKind, Act>> = {
  unseen: row("nothing", { show: "type", text: "type", escape: "leave", interrupt: "pane", suspend: "pane", pane: "pane" }),
  choosing,
  listing: { ...choosing, interrupt: "leave" },
  typing: row("type", { enter: "take", escape: "clear", interrupt: "clear", suspend: "pane" }),
  filtering: row("type", { vertical: "move", enter: "take", escape: "clear", interrupt: "clear", suspend: "pane" }),
  viewing: row("view", { suspend: "pane" }),
};

function row(most: Act, others: Partial<Record<KeyKind, Act>>): Record<KeyKind, Act> {
  return {
    digit: most,
    show: most,
    text: most,
    vertical: most,
    sideways: most,
    enter: most,
    escape: most,
    interrupt: most,
    suspend: most,
    pane: most,
    other: most,
    ...others,
  };
}

/** `choices`: how many are offered. `canShow`: there is more to show. */
export type Asked = { situation: Situation; choices: number; canShow: boolean };

export function actOf(key: string, asked: Asked): Act {
  return acts[asked.situation][kindOf(key, asked)];
}

function kindOf(key: string, { choices, canShow }: Asked): KeyKind {
  if (/^[1-9]$/.test(key) && Number(key) <= choices) return "digit";
  if (key === "v" && canShow) return "show";
  if (matchesKey(key, "escape") || isTwoEscapes(key)) return "escape";
  return controls.find(([name]) => matchesKey(key, name))?.[1] ?? (isText(key) ? "text" : "other");
}

const controls = [
  ["enter", "enter"],
  ["up", "vertical"],
  ["down", "vertical"],
  ["left", "sideways"],
  ["right", "sideways"],
  ["ctrl+c", "interrupt"],
  ["ctrl+z", "suspend"],
  ["ctrl+d", "pane"],
  [detailKey.id, "pane"],
  [watchKey.id, "pane"],
] as const;
