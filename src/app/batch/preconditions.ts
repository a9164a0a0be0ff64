// Collects what must be true before a batch spends a token, from git, the forge, the model and this machine.
import type { BatchRecord, BatchStore } from "../../batch/batch-record.ts";
import type { CommitHooks } from "../../batch/commit-hooks.ts";
import type { Forge, ForgeChoice } from "../../batch/forge.ts";
import { type Preflight, type PreflightInput, preflight } from "../../batch/preflight.ts";
import type { RepositoryFacts } from "../../batch/repository.ts";
import type { SandboxFinding, SandboxState } from "../../permissions/policy.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { note } from "../note.ts";
import { openSettings } from "../settings/open-settings.ts";
import { sandboxHere } from "../settings/sandbox-here.ts";
import { UsageError, type World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import type { BatchQuestions } from "./batch-order.ts";
import { isRepositoryGone } from "./known-batches.ts";

type Usable = Extract<RepositoryFacts, { kind: "usable" }>;
export type Ready = Extract<Preflight, { kind: "ready" }>;
/** The person chose not to continue. */
export type NotStarted = { kind: "not_started"; code: 1 | 130 };

/** Throws UsageError with every problem. */
export async function checkPreconditions(
  world: World,
  flags: BatchFlags,
  questions: BatchQuestions | undefined,
): Promise<Ready | NotStarted> {
  const facts = await world.edges.repositoryFacts(world.cwd);
  const wanted = flags.pr && facts.kind === "usable" && asksForge(flags, facts) ? await forgeOf(world, facts, flags) : undefined;
  const found = preflight({ facts, forge: wanted?.choice, login: wanted?.login, push: wanted?.push });
  if (found.kind === "refused") throw new UsageError(`cannot start a batch here. ${found.reasons.join("\n")} Nothing was started.`);
  for (const notice of found.notices) note(world, notice);
  const decided = found.choices.filter(({ flag }) => flags.planOnly || (flag === "--yes" && flags.yes));
  for (const { text } of decided) note(world, text);
  if (flags.planOnly) return found;
  const open = found.choices.filter((choice) => !decided.includes(choice));
  for (const { text, flag } of open) {
    if (!questions) throw new UsageError(`${text} To continue anyway: ${flag}. Nothing was started.`);
    const answer = await questions.confirm(`${visibleLine(text)} Continue?`);
    if (answer === "yes") continue;
    note(world, "The batch was not started.");
    return { kind: "not_started", code: answer === "left" ? 130 : 1 };
  }
  return found;
}

/** A plan alone needs no login, and a missing remote is known without a request. */
const asksForge = ({ planOnly }: BatchFlags, { remote }: Usable): boolean => !planOnly || remote === undefined;

/** Throws UsageError if a batch can no longer work in its repository. */
export async function repositoryAgain({ edges }: World, { batch, layout }: BatchStore): Promise<Usable> {
  const facts = await edges.repositoryFacts(batch.root);
  if (facts.kind === "usable") return facts;
  const forGood = isRepositoryGone(await edges.disk(), batch) ? ` If it is gone for good, remove ${layout.folder} too.` : "";
  throw new UsageError(`cannot continue batch ${batch.id}: ${facts.reason}${forGood} Nothing was started.`);
}

/** Throws UsageError if the pull requests of a batch can no longer be opened. */
export async function forgeAgain(world: World, batch: BatchRecord, { root, remote }: Usable): Promise<Forge> {
  const { id, pull_requests: wanted, flags } = batch;
  const { choice, login, push } = await forgeOf(world, { root, remote, base: wanted?.base }, flags as AgentFlags);
  for (const notice of (login?.ok && login.value.notices) || []) note(world, notice);
  if (choice.kind === "forge" && login?.ok && push?.ok) return choice.forge;
  const fault = choice.kind === "none" ? choice : [login, push].flatMap((one) => (one?.ok === false ? [one.error] : []))[0];
  const reason = fault?.reason ?? "";
  throw new UsageError(`cannot continue batch ${id}, which opens pull requests. ${reason} Nothing was started.`);
}

/** Checked before anything is spent: a login that cannot push or open pull requests is found here. */
async function forgeOf(
  world: World,
  { root, remote, base }: Pick<Usable, "root" | "remote" | "base">,
  flags: AgentFlags,
): Promise<Pick<PreflightInput, "login" | "push"> & { choice: ForgeChoice }> {
  if (!remote) return { choice: { kind: "none", reason: "This repository has no remote." }, login: undefined };
  const { forges, pullRequests } = (await openSettings({ ...world, cwd: root }, settingsFlags(flags))).effective;
  const choice = await world.edges.forge(remote, { env: world.env, forges, pullRequests });
  const login = choice.kind === "forge" ? await choice.forge.preflight(base) : undefined;
  if (!login?.ok) return { choice, login };
  return { choice, login, push: await world.edges.tryPush({ env: world.env, forges, root, remote: remote.name }) };
}

/** The confinement of the units' commands, determined once for all of them. `say` is told if there is none, and what that means for the hooks. */
export async function confinement(
  world: World,
  settings: LoadedSettings,
  { hooks, say }: { hooks: CommitHooks | undefined; say: (text: string) => void },
): Promise<{ found: SandboxFinding; state: SandboxState }> {
  const { state, found, notice } = await sandboxHere(world, settings);
  if (notice) say(notice);
  if (hooks) {
    const named = hooks.names.join(", ");
    if (state.kind === "active") say(`Hooks of the repository run in each unit's sandbox before its commit: ${named}.`);
    else say(`Hooks of the repository do not run without a sandbox: ${named}.`);
  }
  return { found, state };
}
