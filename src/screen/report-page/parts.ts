// Shared by all parts of the report page: how much of a text to show, the number of each agent, and which rows a filter hides.
import type { TaskId } from "../../board/tasks/task.ts";
import type { ReportFacts } from "../../team/report/report-facts.ts";
import type { State } from "../style.ts";
import { shortened } from "../visible-text.ts";
import { Html } from "./html.ts";

/** `text`: the most characters of a text from outside. `titles`: bars have a tooltip. */
export type Detail = { text: number; titles: boolean };

export type Parts = {
  facts: ReportFacts;
  detail: Detail;
  /** Members in order of joining, then other senders, such as the user. */
  agents: string[];
  /** A text from outside, on one line and shortened. */
  words(text: string): string;
  /**
   * The class attribute of an element that a filter may hide, with `more` classes: the element is shown only if one of these agents or this task is
   * selected. `task`: absent if the task does not matter, null if the element is about none.
   */
  about(agents: readonly (string | null)[], task?: TaskId | null, more?: string): Html;
  /** The number of a task in the page, for its anchor. */
  numberOf(task: TaskId): number;
};

export function partsOf(facts: ReportFacts, detail: Detail): Parts {
  const writers = facts.timeline.arrows.flatMap(({ from, to }) => [from, to]);
  const agents = [...new Set([...facts.agents.map(({ name }) => name), ...writers])];
  const agentNumbers = new Map(agents.map((name, index) => [name, index]));
  const taskNumbers = new Map(facts.report.tasks.map(({ id }, index) => [id, index]));
  const numberOf = (task: TaskId) => taskNumbers.get(task) ?? -1;
  return {
    facts,
    detail,
    agents,
    words: (text) => shortened(text, detail.text).replaceAll(/[\r\n]+/g, " "),
    numberOf,
    about(names, task, more = "") {
      const who = [...new Set(names)].flatMap((name) => (name === null ? [] : (agentNumbers.get(name) ?? [])));
      const which = task === undefined ? [] : ["T", ...(task === null ? [] : [`t${numberOf(task)}`])];
      return new Html(`class="${["A", ...who.map((number) => `a${number}`), ...which, more].filter(Boolean).join(" ")}"`);
    },
  };
}

export const statePlates: Record<State, { symbol: string; word: string }> = {
  working: { symbol: "▶", word: "in progress" },
  done: { symbol: "✓", word: "done" },
  needs_you: { symbol: "!", word: "blocked" },
  failed: { symbol: "✗", word: "failed" },
  waiting: { symbol: "·", word: "open" },
};

/** The items of each key, in their order. */
export function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
