// What a person has granted an agent while it runs. No text can add to it: only an answer can.
import type { Access } from "./call.ts";
import { type Rule, showRule } from "./rules.ts";

/** An answer that still holds. `always`: it stands in that settings file as well. */
export type Granted = { rule: string; kind: "session" | "always"; since?: string; file?: string };

export type Grants = {
  /** Answers of the kinds "this session" and "always". */
  rules: Rule[];
  /** Since when each of them holds, in the order of the answers. */
  given: Granted[];
  grant(rule: Rule, how: Omit<Granted, "rule">): void;
  /** Takes back every answer with this rule, as it is shown; false when there is none. */
  revoke(rule: string): boolean;
  /** Lets the guard through once for this real path. Writing includes the look at what is there before. */
  givePass(access: Access, real: string): void;
  /** Uses up a pass; false when there is none. */
  usePass(access: Access, real: string): boolean;
};

export function grants(): Grants {
  const passes = new Map<string, number>();
  const add = (key: string, count: number) => passes.set(key, (passes.get(key) ?? 0) + count);
  const rules: Rule[] = [];
  const given: Granted[] = [];
  return {
    rules,
    given,
    grant(rule, how) {
      rules.push(rule);
      given.push({ rule: showRule(rule), ...how });
    },
    revoke(rule) {
      const kept = rules.filter((_, at) => given[at]?.rule !== rule);
      const isThere = kept.length < rules.length;
      rules.splice(0, rules.length, ...kept);
      given.splice(0, given.length, ...given.filter((one) => one.rule !== rule));
      return isThere;
    },
    givePass(access, real) {
      add(`read ${real}`, 1);
      if (access === "write") add(`write ${real}`, 1);
    },
    usePass(access, real) {
      const key = `${access} ${real}`;
      if ((passes.get(key) ?? 0) === 0) return false;
      add(key, -1);
      return true;
    },
  };
}
