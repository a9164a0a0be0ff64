// The model of an agent: its maker, a cloud that serves it, or a script for the scripted model.

import type { Model } from "../agent/ports/model.ts";
import type { Edges, ModelChoice } from "../app/world.ts";
import type { AnthropicOptions } from "../edge/model/anthropic.ts";
import type { CloudOptions } from "../edge/model/cloud/cloud.ts";
import type { KeyHelper } from "../edge/model/key-helper.ts";
import { errorText } from "../wording/error-text.ts";

export function modelEdges(): Pick<Edges, "model" | "modelProblem" | "keySource" | "keyText"> {
  const helpers = new Map<string, KeyHelper>();
  /** The provider's address and key, from the settings, the environment or what the person has stored. */
  const provider = async ({ env, baseURL, keyHelper, keyFile, typedKey }: ModelChoice): Promise<AnthropicOptions> => ({
    apiKey: typedKey ?? env["ANTHROPIC_API_KEY"],
    authToken: env["ANTHROPIC_AUTH_TOKEN"],
    baseURL: env["ANTHROPIC_BASE_URL"],
    ...(baseURL !== undefined && { baseURL, baseURLFrom: "apiBaseUrl of the settings" }),
    ...(keyHelper !== undefined && { keyHelper: await helperOf(keyHelper, env) }),
    ...(keyFile !== undefined && (await stored(keyFile))),
    apiVersion: env["TOOL_API_VERSION"],
  });
  /** One for all models of this process, so that it is run once. */
  const helperOf = async (command: string, env: ModelChoice["env"]) => {
    const { keyHelper } = await import("../edge/model/key-helper.ts");
    const helper = helpers.get(command) ?? keyHelper(command, env);
    helpers.set(command, helper);
    return helper;
  };
  const unnamed = async (choice: ModelChoice): Promise<Model> => {
    if (choice.cloud === "bedrock") return (await import("../edge/model/cloud/bedrock.ts")).bedrockModel(cloudOptions(choice));
    if (choice.cloud === "vertex") return (await import("../edge/model/cloud/vertex.ts")).vertexModel(cloudOptions(choice));
    return (await import("../edge/model/anthropic.ts")).anthropicModel(await provider(choice));
  };
  const providerProblem = async (choice: ModelChoice): Promise<string | undefined> => {
    if (choice.cloud === "bedrock") return (await import("../edge/model/cloud/bedrock.ts")).bedrockProblem(cloudOptions(choice));
    if (choice.cloud === "vertex") return (await import("../edge/model/cloud/vertex.ts")).vertexProblem(cloudOptions(choice));
    const [{ connectionProblem }, { helperProblem }] = await Promise.all([
      import("../edge/model/anthropic.ts"),
      import("../edge/model/key-helper.ts"),
    ]);
    const problem = (choice.keyHelper && helperProblem(choice.keyHelper)) || connectionProblem(await provider(choice));
    return problem && [problem, cloudMeant(choice)].filter(Boolean).join(" ");
  };
  return {
    async model(choice) {
      if (choice.script !== undefined) return modelOfScript(choice.script, choice.paced);
      const { withModelIds } = await import("../edge/model/model-ids.ts");
      const model = withModelIds(await unnamed(choice), choice.modelIds);
      return isMakersOwn(choice) ? model : (await import("../agent/requests/abilities.ts")).withAbilities(model);
    },
    async modelProblem(choice) {
      const { script, paced } = choice;
      try {
        if (script !== undefined) return void (await modelOfScript(script, paced));
      } catch (error) {
        return `Cannot use the script: ${await reasonOf(error, script ?? "")}.`;
      }
      try {
        return await providerProblem(choice);
      } catch (error) {
        return errorText(error); // a stored key that cannot be read
      }
    },
    async keySource(choice) {
      if (choice.cloud === "bedrock") return (await import("../edge/model/cloud/bedrock.ts")).bedrockAccess(cloudOptions(choice));
      if (choice.cloud === "vertex") return (await import("../edge/model/cloud/vertex.ts")).vertexAccess(cloudOptions(choice));
      return (await import("../edge/model/anthropic.ts")).keySource(await provider(choice));
    },
    keyText: async (key) => (await import("../edge/model/stored-key.ts")).storedKeyText(key),
  };
}

const cloudVariables = { CLAUDE_CODE_USE_BEDROCK: "bedrock", CLAUDE_CODE_USE_VERTEX: "vertex" };

/** For a person who has told another program which cloud to ask. */
function cloudMeant({ env }: ModelChoice): string | undefined {
  const [variable, cloud] = Object.entries(cloudVariables).find(([name]) => /^(?:1|true|yes|on)$/i.test(env[name]?.trim() ?? "")) ?? [];
  return variable && `${variable} is not read here. To ask that cloud: tool config set provider ${cloud}.`;
}

/** The maker's own address has every ability. */
function isMakersOwn({ cloud, baseURL, env }: ModelChoice): boolean {
  return cloud === undefined && !(baseURL ?? env["ANTHROPIC_BASE_URL"])?.trim();
}

function cloudOptions({ env, cloud, baseURL }: ModelChoice): CloudOptions {
  const variable = cloud === "bedrock" ? "ANTHROPIC_BEDROCK_BASE_URL" : "ANTHROPIC_VERTEX_BASE_URL";
  return {
    env,
    baseURL: baseURL ?? env[variable],
    baseURLFrom: baseURL === undefined ? variable : "apiBaseUrl of the settings",
    apiVersion: env["TOOL_API_VERSION"],
  };
}

async function stored(file: string): Promise<Pick<AnthropicOptions, "storedKey">> {
  const { readStoredKey } = await import("../edge/model/stored-key.ts");
  const found = readStoredKey(file);
  return found ? { storedKey: { ...found, file } } : {};
}

/** In plain words, without a full stop. */
async function reasonOf(error: unknown, file: string): Promise<string> {
  const { codeOf } = await import("../edge/system-error.ts");
  const words: Record<string, string> = {
    ENOENT: "there is no such file",
    EISDIR: "it is a folder",
    EACCES: "it may not be read",
  };
  const known = words[codeOf(error) ?? ""];
  return known ? `${file}: ${known}` : errorText(error).replace(/\.$/, "");
}

/** Throws an error that says what is wrong with the script. */
async function modelOfScript(file: string, paced: boolean): Promise<Model> {
  const [{ readFileSync }, { scriptedModel }] = await Promise.all([import("node:fs"), import("../edge/model/scripted/scripted-model.ts")]);
  return scriptedModel({ file, text: readFileSync(file, "utf8"), pace: paced ? "script" : "none" });
}
