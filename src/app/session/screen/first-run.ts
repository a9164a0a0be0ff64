// A first session, with no key for any provider: the person is asked on one screen, the answers are tried with one request, and kept.
import type { ModelFault } from "../../../agent/ports/model.ts";
import { modelNamed } from "../../../agent/requests/prices.ts";
import { type SetupAnswer, type SetupProblem, setupForm } from "../../../screen/setup/setup-form.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import { setValue, unsetValue } from "../../../settings/edit.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import { errorText } from "../../../wording/error-text.ts";
import { settingsFlags } from "../../agent-flags.ts";
import { agentModel, keyFileIn, nothingStarted } from "../../agent-model.ts";
import { openSettings } from "../../settings/open-settings.ts";
import { sandboxHere } from "../../settings/sandbox-here.ts";
import { settingsFiles, writeSettings } from "../../settings/write-settings.ts";
import { type ModelChoice, UsageError, type World } from "../../world.ts";
import { hasKey } from "../has-key.ts";
import type { Attended } from "./attended.ts";

/** Does nothing where something can answer. Throws UsageError, naming the ways, if the person leaves the form. */
export async function askForProvider({ world, flags, pane, style, ending }: Attended): Promise<void> {
  const settings = await openSettings(world, settingsFlags(flags));
  const { choice } = agentModel(world, settings.effective);
  if (choice.script !== undefined || choice.cloud !== undefined) return;
  const problem = await world.edges.modelProblem(choice);
  if (problem === undefined || (await hasKey(world, choice))) return; // another problem is said as everywhere else
  const keyFile = keyFileIn(world.configDir).replace(world.home, "~");
  const sandbox = sandboxWords(world, settings, pane.refresh);
  for (let next: Given = { given: startingPoint(settings, choice) }; ; ) {
    const answer = await pane.fill(setupForm({ ...next, sandbox, keyFile, style }), ending.signal);
    if (!answer)
      throw new UsageError(nothingStarted(`You have left the form without a key for the model provider. ${ways(world.command)}`));
    pane.print(style.dim(`Trying ${visibleLine(`${answer.model} at ${answer.address}`)} …`));
    const failed = (await tried(world, answer, ending.signal)) ?? (await kept(world, answer));
    if (!failed) return;
    next = { given: answer, problem: failed };
  }
}

const ways = (command: string) =>
  `To see it again: ${command}. Or set ANTHROPIC_API_KEY, or name a command that prints the key as apiKeyHelper in your settings.`;

type Given = { given: SetupAnswer; problem?: SetupProblem };

const officialAddress = "https://api.anthropic.com";

function startingPoint({ effective, files }: LoadedSettings, { env, baseURL }: ModelChoice): SetupAnswer {
  return {
    key: "",
    helper: "",
    address: baseURL ?? (env["ANTHROPIC_BASE_URL"]?.trim() || officialAddress),
    model: effective.model ?? "sonnet",
    autoAllow: files.find(({ scope }) => scope === "user")?.settings.sandbox?.autoAllow !== false,
  };
}

/** The trial of the sandbox takes a moment, and the form does not wait for it. */
function sandboxWords(world: World, settings: LoadedSettings, changed: () => void): () => string {
  let words = "looking whether it works here …";
  void sandboxHere(world, settings).then(
    ({ state }) => {
      words =
        state.kind === "active"
          ? "works here: commands write in this folder alone, and reach no host that you have not allowed"
          : `does not work here, so that you are asked about every command that does more than read: ${world.command} doctor says why`;
      changed();
    },
    (error: unknown) => {
      words = `cannot be tried: ${errorText(error)}`;
      changed();
    },
  );
  return () => words;
}

/** One short request with these values, and no others. Undefined if it was answered. */
async function tried({ env, edges }: World, answer: SetupAnswer, signal: AbortSignal): Promise<SetupProblem | undefined> {
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...others } = env;
  const from = answer.helper === "" ? { typedKey: answer.key } : { keyHelper: answer.helper };
  const choice: ModelChoice = { env: others, paced: false, baseURL: answer.address, ...from };
  const problem = await edges.modelProblem(choice);
  if (problem) return { field: answer.helper === "" ? "address" : "helper", text: problem };
  const model = await edges.model(choice);
  const request = { model: modelNamed(answer.model), max_tokens: 16, system: [], tools: [], messages: [hello] };
  const outcome = await model.attempt(request, { signal, retryCount: 0, onText: () => {} });
  return outcome.kind === "fault" ? problemIn(outcome.fault, answer) : undefined;
}

const hello = { role: "user" as const, content: [{ type: "text" as const, text: "Answer with one word: ready" }] };

/** Which of the values is probably wrong, in words that name it. */
function problemIn({ status, reason, verdict }: ModelFault, { helper, address, model }: SetupAnswer): SetupProblem | undefined {
  const field = helper === "" ? "key" : "helper";
  const said = /^[^:]*\(\d+\): (.*?\.)(?: The key came| Check the model|$)/.exec(reason)?.[1];
  const because = said === undefined ? "" : ` It says: ${visibleLine(said)}`;
  if (status === 401 || status === 403) return { field, text: `${address} refuses this key (${status}).${because}` };
  if (status === 404) return { field: "model", text: `${address} knows no model "${model}", or is another server (404).${because}` };
  if (status === 429 || status === 529 || verdict === "spent") return undefined; // the values are right
  return { field: reason.startsWith("No key from") ? "helper" : "address", text: visibleLine(reason) };
}

/** Writes the key and the settings to the person's folder. */
async function kept(world: World, answer: SetupAnswer): Promise<SetupProblem | undefined> {
  try {
    const disk = await world.edges.disk();
    const { user: file } = settingsFiles(world, disk);
    const { helper, address, model, autoAllow, key } = answer;
    disk.makeFolder(world.configDir);
    if (key !== "") disk.replace(keyFileIn(world.configDir), await world.edges.keyText({ address, key }));
    const before = disk.read(file)?.toString("utf8");
    const isUsual = address === officialAddress || address === world.env["ANTHROPIC_BASE_URL"]?.trim();
    const given: [string[], unknown][] = [
      [["model"], model],
      [["apiBaseUrl"], isUsual ? undefined : address],
      [["apiKeyHelper"], helper || undefined],
      [["sandbox", "autoAllow"], autoAllow],
    ];
    const text = given.reduce(
      (now, [path, value]) => (value === undefined ? (unsetValue(now, path) ?? now) : setValue(now, path, value)),
      before ?? "{}\n",
    );
    await writeSettings(world, { file, text });
    return undefined;
  } catch (error) {
    return { field: "key", text: `Cannot keep it in ${world.configDir}: ${errorText(error)}` };
  }
}
