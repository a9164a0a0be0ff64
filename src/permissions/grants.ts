// What the user has granted an agent while it runs. Only an answer of the user can add to it.
import type { Access } from "./call.ts";
import { type Rule, showRule } from "./rules.ts";

/** An answer that still applies. `always`: in that settings file too. `team`: for all members, revoked at the lead. `agent`: who asked. */
export type Granted = { rule: string; kind: "session" | "team" | "always"; since?: string; file?: string; agent?: string };

/** A grant for every member of the team. Without a rule, it is for everything that stays in the sandbox. */
export type TeamGrant = { rule?: Rule; since: string };

/** As it is listed, and as it is revoked: `/permissions remove x`. */
export const everythingInside = "x";

/** How one approved command runs: with the network, seeing these masked files, changing those of other workers and these protected ones. */
export type RunPass = { network?: true; shown?: string[]; others?: true; changes?: { paths: string[]; words: string[] } };

export type Grants = ReturnType<typeof grants>;

/** For a sub-agent: shares the parent's grants and names the one that asked; passes belong to one agent. */
export function childGrants(parent: Grants, agent: string): Grants {
  const { givePass, usePass, setRun, setInside, takeRun } = grants();
  const grant: Grants["grant"] = (rule, how) => parent.grant(rule, { agent, ...how });
  return over(parent, { grant, givePass, usePass, setRun, setInside, takeRun });
}

/** The same grants, and for a decision that is only tried these too. */
export function alsoGranted(grants: Grants, { rules = [], sandbox = grants.sandbox }: { rules?: Rule[]; sandbox?: boolean }): Grants {
  return over(grants, { rules: [...grants.rules, ...rules], sandbox });
}

/** Everything that is not replaced is read live. */
const over = (grants: Grants, replaced: Partial<Grants>): Grants =>
  Object.create(grants, Object.getOwnPropertyDescriptors(replaced)) as Grants;

type Own = { granted: Granted; rule: Rule | undefined };

export function grants() {
  const passes = new Map<string, number>();
  const runs = new Map<string, RunPass>();
  const inside = new Set<string>();
  const add = (key: string, count: number) => passes.set(key, (passes.get(key) ?? 0) + count);
  let own: Own[] = [];
  let team: TeamGrant[] = [];
  return {
    get rules(): Rule[] {
      return [...own, ...team].flatMap(({ rule }) => rule ?? []);
    },
    /** When each grant was given, in the order of the answers. */
    get given(): Granted[] {
      const shared = team.map(({ rule, since }): Granted => ({ rule: rule ? showRule(rule) : everythingInside, kind: "team", since }));
      return [...own.map(({ granted }) => granted), ...shared];
    },
    get sandbox(): boolean {
      return [...own, ...team].some(({ rule }) => rule === undefined);
    },
    /** Without a rule, everything that stays in the sandbox. */
    grant(rule: Rule | undefined, how: Omit<Granted, "rule">) {
      own.push({ granted: { rule: rule ? showRule(rule) : everythingInside, ...how }, rule });
    },
    /** Revokes every answer of this session with this rule, in its displayed form; false if there is none. */
    revoke(rule: string): boolean {
      const kept = own.filter(({ granted }) => granted.rule !== rule);
      const isThere = kept.length < own.length;
      own = kept;
      return isThere;
    },
    adoptTeam(now: TeamGrant[]) {
      team = now;
    },
    /** Lets the guard through once for this real path. Writing includes reading the previous content. */
    givePass(access: Access, real: string) {
      add(`read ${real}`, 1);
      if (access === "write") add(`write ${real}`, 1);
    },
    /** Uses up a pass; false if there is none. */
    usePass(access: Access, real: string): boolean {
      const key = `${access} ${real}`;
      if ((passes.get(key) ?? 0) === 0) return false;
      add(key, -1);
      return true;
    },
    /** Sets how the next run of exactly this command runs; undefined: like any other. */
    setRun(command: string, pass: RunPass | undefined) {
      if (pass) runs.set(command, pass);
      else runs.delete(command);
    },
    /** Whether the next run of exactly this command was decided as one in the sandbox, and does not happen without one. */
    setInside(command: string, isInside: boolean) {
      if (isInside) inside.add(command);
      else inside.delete(command);
    },
    takeRun(command: string): (RunPass & { inside?: true }) | undefined {
      const pass = runs.get(command);
      runs.delete(command);
      return inside.delete(command) ? { ...pass, inside: true } : pass;
    },
  };
}
