// What a person has granted an agent while it runs. Nothing of it outlives the session, and no text can add to it: only an answer can.
import type { Access } from "./call.ts";
import type { Rule } from "./rules.ts";

export type Grants = {
  /** Answers of the kind "always for this session". */
  rules: Rule[];
  /** Lets the guard through once for this real path. Writing includes the look at what is there before. */
  givePass(access: Access, real: string): void;
  /** Uses up a pass; false when there is none. */
  usePass(access: Access, real: string): boolean;
};

export function grants(): Grants {
  const passes = new Map<string, number>();
  const add = (key: string, count: number) => passes.set(key, (passes.get(key) ?? 0) + count);
  return {
    rules: [],
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
