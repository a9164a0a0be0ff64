// What a person can choose for a session in an editor: its mode, model and effort. Editors know either modes or options, so the mode is both.
import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@agentclientprotocol/sdk";
import { changeableModes, changedMode } from "../../agent/mode-change.ts";
import { effortProblem } from "../../agent/requests/thinking.ts";
import { effortHints, modeHints } from "../../screen/commands/session-commands.ts";
import { efforts } from "../../settings/effort.ts";
import { changeMode } from "../controls/mode-control.ts";
import { pricedModels } from "../controls/shared-controls.ts";
import type { Solo } from "../session/open-session.ts";
import { AcpRefusal } from "./client.ts";

/** A mode that is not among those to choose, because it was chosen at the start, is there as long as it is the current one. */
export function modesOf({ work: { mode, settings } }: Solo): SessionModeState {
  const { managedMode } = settings().effective;
  const now = mode();
  const open = changeableModes.filter((name) => changedMode(name, managedMode).ok);
  const others = open.some((name) => name === now) ? [] : [{ id: now, name: now }];
  return { currentModeId: now, availableModes: [...open.map((id) => ({ id, name: id, description: modeHints[id] })), ...others] };
}

/** A script answers as one model alone. */
export function optionsOf(solo: Solo): SessionConfigOption[] {
  const { currentModeId, availableModes } = modesOf(solo);
  const modes = availableModes.map(({ id, name, description }) => ({ value: id, name, ...(description && { description }) }));
  const mode = select("mode", "Mode", { category: "mode", now: currentModeId, options: modes });
  if (solo.script !== undefined) return [mode];
  const { modelName, effort = "default" } = solo.session.agent;
  const models = pricedModels().map(({ label, hint }) => ({ value: label, name: label, description: hint }));
  const known = models.some(({ value }) => value === modelName) ? models : [...models, { value: modelName, name: modelName }];
  const levels = (["default", ...efforts] as const).map((value) => ({ value, name: value, description: effortHints[value] }));
  return [
    mode,
    select("model", "Model", { category: "model", now: modelName, options: known }),
    select("effort", "Effort", { category: "thought_level", now: effort, options: levels }),
  ];
}

type Select = { category: string; now: string; options: SessionConfigSelectOption[] };

const select = (id: string, name: string, { category, now, options }: Select): SessionConfigOption => ({
  type: "select",
  id,
  name,
  category,
  currentValue: now,
  options,
});

/** Throws AcpRefusal for what cannot be chosen; then nothing has changed. */
export function choose(solo: Solo, id: string, value: string): void {
  const refuse = (reason: string): never => {
    throw new AcpRefusal("invalid_params", reason);
  };
  const { agent } = solo.session;
  if (id === "mode") {
    if (value !== solo.work.mode()) changeMode({ ...solo, pane: { warn: refuse, refresh: () => {} } }, value);
    return;
  }
  const option = optionsOf(solo).find((one) => one.id === id);
  const isThere = option?.type === "select" && option.options.some((one) => "value" in one && one.value === value);
  if (!isThere) refuse(`There is no ${option ? `${id} ${JSON.stringify(value)}` : `option ${JSON.stringify(id)}`} here.`);
  if (id === "model") {
    agent.modelName = value;
    if (agent.fallback) agent.fallback.answers = false;
    return;
  }
  const effort = efforts.find((one) => one === value);
  const problem = effortProblem(agent.modelName, effort);
  if (problem) refuse(problem);
  agent.effort = effort;
}
