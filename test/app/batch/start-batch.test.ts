// What a batch refuses, asks and prints before it spends anything.
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/app/batch/approve-plan.ts";
import { type ApprovalDialog, approvePlan, type Choice } from "../../../src/app/batch/approve-plan.ts";
import type { BatchFlags } from "../../../src/app/batch/batch-flags.ts";
import type { BatchQuestions, Confirmed } from "../../../src/app/batch/batch-order.ts";
import { startBatch } from "../../../src/app/batch/start-batch.ts";
import type { RepositoryFacts } from "../../../src/batch/repository.ts";
import { planOf, unit } from "../../batch/plans.ts";
import { type MemoryWorldSetup, memoryWorld, refusalOf } from "../memory-world.ts";

const flags: BatchFlags = { allow: [], deny: [], pr: false, stack: "no" };
const facts: Extract<RepositoryFacts, { kind: "usable" }> = {
  kind: "usable",
  root: "/repo",
  gitFolder: "/repo/.git",
  head: "a".repeat(40),
  branch: "main",
  base: "main",
  remote: undefined,
  underWay: undefined,
  changed: [],
  untracked: [],
  submodules: [],
  lfs: "none",
  shallow: false,
  hooks: { folder: "/repo/.git/hooks", names: [] },
  headIsPushed: true,
  hasIdentity: true,
  signsCommits: false,
} as never;

function place({ found = facts, edges, ...setup }: MemoryWorldSetup & { found?: RepositoryFacts } = {}) {
  const memory = memoryWorld({
    env: { PATH: "/bin" },
    ...setup,
    files: { "/bin/node": "", ...setup.files },
    edges: {
      repositoryFacts: async () => found,
      input: async (path) => {
        const text = memory.disk.files.get(path);
        return text === undefined ? undefined : toChunks(text);
      },
      ...edges,
    },
  });
  const start = (more: Partial<BatchFlags> = {}, order: { instruction?: string; questions?: BatchQuestions } = {}) =>
    startBatch(memory.world, { instruction: undefined, ...order, flags: { ...flags, ...more } });
  return { ...memory, start };
}

async function* toChunks(text: string) {
  yield Buffer.from(text);
}

const planFile = (count: number) => ({ "/repo/plan.json": JSON.stringify({ instruction: "Use the logger", ...planOf(count) }) });

function questions(answers: { confirm?: Confirmed; approval?: Approval } = {}) {
  const asked: string[] = [];
  const made: BatchQuestions = {
    async confirm(question) {
      asked.push(question);
      return answers.confirm ?? "no";
    },
    async approve() {
      asked.push("approve");
      return answers.approval ?? { kind: "refused", reason: undefined };
    },
    async subAgents(prompt) {
      asked.push(prompt);
      return 0;
    },
  };
  return { asked, questions: made };
}

describe("startBatch() refuses", () => {
  it.each([
    [{}, undefined, /^a batch needs one of these/],
    [{ plan: "plan.json" }, "Do it", "only one of an instruction and --plan can be given. Leave the others out."],
    [{ list: true, gc: true }, undefined, "only one of --list and --gc can be given. Leave the others out."],
    [{}, "Do it", /^nobody can approve the plan here\. --plan-only prints it; --yes carries it out/],
    [{ plan: "none.json" }, undefined, "Cannot read the input: there is no file /repo/none.json."],
  ] as const)("%j with the instruction %j", async (more, instruction, expected) => {
    const { start, disk } = place();
    const before = disk.names();
    expect(await refusalOf(start(more, instruction === undefined ? {} : { instruction }))).toMatch(expected);
    expect(disk.names()).toEqual(before);
  });

  it("a plan with mistakes, each named, and one that is too small where nobody can be asked", async () => {
    const twice = JSON.stringify({ units: [unit("a"), unit("a"), unit("b"), unit("c"), unit("d")] });
    const wrong = await refusalOf(place({ files: { "/repo/plan.json": twice } }).start({ plan: "plan.json", yes: true }));
    expect(wrong).toMatch(/^cannot use the plan \/repo\/plan\.json:\n- .*\nNothing was started\.$/s);
    expect(await refusalOf(place({ files: planFile(2) }).start({ plan: "plan.json", yes: true }))).toMatch(
      /has 2 units, and a batch has at least 5/,
    );
  });

  it("a folder without a repository, and uncommitted changes where nobody can be asked", async () => {
    const none = place({ found: { kind: "unusable", reason: "/repo is not in a git repository." }, files: planFile(5) });
    expect(await refusalOf(none.start({ plan: "plan.json", yes: true }))).toBe(
      "cannot start a batch here. /repo is not in a git repository. Nothing was started.",
    );
    const found = { ...facts, hasIdentity: false };
    expect(await refusalOf(place({ found, files: planFile(5) }).start({ plan: "plan.json", yes: true }))).toMatch(
      /^cannot start a batch here\./,
    );
  });

  it("a start without a model that answers", async () => {
    const { start } = place({ files: planFile(5), edges: { modelProblem: async () => "There is no key." } });
    expect(await refusalOf(start({ plan: "plan.json", yes: true }))).toBe("There is no key. Nothing was started.");
  });

  it("a batch that does not exist", async () => {
    const { start } = place();
    expect(await refusalOf(start({ resume: "../etc" }))).toBe('there is no batch "../etc". Batches that can be resumed: none.');
    expect(await refusalOf(start({ retry: "abc" }))).toBe('there is no batch "abc". Batches that can be resumed: none.');
  });
});

describe("startBatch() asks", () => {
  it("about uncommitted changes, and ends with 1 or 130 if the person does not continue", async () => {
    const found = { ...facts, changed: ["a.js"] };
    for (const [confirm, code] of [
      ["no", 1],
      ["left", 130],
    ] as const) {
      const { start, err } = place({ found, files: planFile(5) });
      const { asked, questions: given } = questions({ confirm });
      expect(await start({ plan: "plan.json" }, { questions: given })).toBe(code);
      expect([asked, err()]).toEqual([
        [expect.stringMatching(/^a\.js is not committed\..* Continue\?$/)],
        expect.stringContaining("The batch was not started."),
      ]);
    }
  });

  it("for the approval of the plan, and changes nothing without it", async () => {
    const { start, err, disk } = place({ files: planFile(5) });
    const refused = questions({ approval: { kind: "refused", reason: "too much" } });
    expect(await start({ plan: "plan.json" }, { questions: refused.questions })).toBe(1);
    expect(err()).toContain("The plan was refused: too much. Nothing was changed.");
    const left = questions({ approval: { kind: "left" } });
    expect(await start({ plan: "plan.json" }, { questions: left.questions })).toBe(130);
    expect(disk.names().filter((name) => name.includes("/batches/"))).toEqual([]);
  });

  it("whether sub-agents do what is too little for a batch", async () => {
    const { start } = place({ files: planFile(2) });
    const { asked, questions: given } = questions({ confirm: "yes" });
    expect(await start({ plan: "plan.json" }, { questions: given })).toBe(0);
    expect(asked[0]).toBe("The plan has 2 units, and a batch has at least 5. Have it done by sub-agents of a session?");
    expect(asked[1]).toContain("Use the logger");
  });

  it("nothing with --plan-only: it prints the plan and the command that carries it out", async () => {
    const { start, out, err, disk } = place({ files: planFile(5) });
    expect(await start({ plan: "plan.json", planOnly: true, json: true })).toBe(0);
    const [stored = ""] = disk.names().filter((name) => name.endsWith("/plan.json") && name.startsWith("/home"));
    expect(JSON.parse(out())).toMatchObject({ type: "batch_plan", verdict: "good", file: stored });
    expect(await start({ plan: "plan.json", planOnly: true })).toBe(0);
    expect(err()).toMatch(/To carry it out: tool batch --no-pr --plan \/home\/me\/\.tool\/.*plan\.json\n$/);
  });

  it("nothing about the hooks of the repository, and says whether they run", async () => {
    const found = { ...facts, hooks: { folder: "/repo/.git/hooks", names: ["pre-commit", "pre-push"] } };
    const { start, err } = place({ found, files: planFile(5) });
    await start({ plan: "plan.json" }, { questions: questions().questions });
    expect(err()).toContain("Hooks of the repository run in each unit's sandbox before its commit: pre-commit.");
  });
});

describe("the batches of a person", () => {
  const files = { "/home/me/.tool/batches/damaged/batch.json": "{", "/home/me/.tool/batches/never-approved/plan.json": "{}" };

  it("are listed without those that cannot be read or were never approved", async () => {
    const { start, out } = place({ files });
    expect([await start({ list: true, json: true }), JSON.parse(out())]).toEqual([0, { ok: true, batches: [] }]);
  });

  it("are cleared, and there may be none", async () => {
    const { start, out, disk } = place({ files });
    expect([await start({ gc: true }), out()]).toEqual([0, "There are no batches.\n"]);
    expect(disk.names()).toEqual(expect.arrayContaining(Object.keys(files)));
  });
});

describe("approvePlan()", () => {
  function dialog(choices: Choice[], edits: (path: string) => string | undefined = () => undefined) {
    const said: string[] = [];
    const shown: number[] = [];
    const made: ApprovalDialog = {
      show: ({ units }) => void shown.push(units.length),
      say: (text) => void said.push(text),
      choose: async () => choices.shift() ?? { kind: "left" },
      edit: async (path) => edits(path),
    };
    return { dialog: made, said, shown };
  }
  const shown = {
    instruction: "Do it",
    head: "h",
    basis: { units: [], planning: undefined, model: "m" },
    folder: "/home/me/.tool/batches/x",
  };
  const approve = (count: number, given: ReturnType<typeof dialog>, world = memoryWorld().world) =>
    approvePlan(world, planOf(count), { shown, dialog: given.dialog });

  it("is approved, refused with a reason, or left", async () => {
    expect(await approve(5, dialog([{ kind: "run" }]))).toEqual({ kind: "approved", plan: planOf(5) });
    expect(await approve(5, dialog([{ kind: "no", reason: "too much" }]))).toEqual({ kind: "refused", reason: "too much" });
    expect(await approve(5, dialog([]))).toEqual({ kind: "left" });
  });

  it("drops units by their numbers, if the rest is a plan", async () => {
    const given = dialog([{ kind: "drop", units: ["2", "7"] }, { kind: "run" }]);
    const approved = await approve(7, given);
    expect(approved.kind === "approved" && approved.plan.units.map(({ id }) => id)).toEqual(["u1", "u3", "u4", "u5", "u6"]);
    expect(given.shown).toEqual([7, 5]);
  });

  it.each([
    [["0"], 'Cannot drop "0": give numbers of units, 1 to 5, as in d 2 5. Nothing was dropped.'],
    [["1", "x"], 'Cannot drop "x": give numbers of units, 1 to 5, as in d 2 5. Nothing was dropped.'],
    [["1"], "The plan stays as it was:\n- 4 units would be left, and a batch has at least 5."],
  ])("drops nothing for %j", async (units, expected) => {
    const given = dialog([{ kind: "drop", units }, { kind: "run" }]);
    expect(await approve(5, given)).toEqual({ kind: "approved", plan: planOf(5) });
    expect(given.said).toEqual([expected]);
  });

  it("takes an edited plan, keeps the former one if that is none, and leaves no file behind", async () => {
    const { world, disk } = memoryWorld();
    const write = (text: string) => (path: string) => {
      disk.files.set(path, text);
      return undefined;
    };
    const edited = { ...planOf(5), units: planOf(5).units.map((one) => ({ ...one, title: "Edited" })) };
    const good = dialog([{ kind: "edit" }, { kind: "run" }], write(JSON.stringify(edited)));
    const approved = await approve(5, good, world);
    expect(approved.kind === "approved" && approved.plan.units[0]?.title).toBe("Edited");
    const bad = dialog([{ kind: "edit" }, { kind: "run" }], write("{"));
    expect(await approve(5, bad, world)).toEqual({ kind: "approved", plan: planOf(5) });
    expect(bad.said[0]).toMatch(/^The edited plan cannot be used:\n- It is not JSON/);
    const failing = dialog([{ kind: "edit" }, { kind: "run" }], () => "The editor could not be started.");
    expect(await approve(5, failing, world)).toEqual({ kind: "approved", plan: planOf(5) });
    expect([failing.said, disk.names()]).toEqual([["The editor could not be started."], []]);
  });
});
