// The model of an agent: a provider, or a script for the scripted model.

import type { Model } from "../agent/ports/model.ts";
import type { Edges, ModelChoice } from "../app/world.ts";
import type { AnthropicOptions } from "../edge/model/anthropic.ts";
import { errorText } from "../wording/error-text.ts";

export const modelEdges: Pick<Edges, "model" | "modelProblem"> = {
  async model(choice) {
    if (choice.script !== undefined) return modelOfScript(choice.script, choice.paced);
    const { anthropicModel } = await import("../edge/model/anthropic.ts");
    return anthropicModel(await provider(choice));
  },
  async modelProblem(choice) {
    const { script, paced, keyHelper } = choice;
    if (script === undefined) {
      const [{ connectionProblem }, { helperProblem }] = await Promise.all([
        import("../edge/model/anthropic.ts"),
        import("../edge/model/key-helper.ts"),
      ]);
      return (keyHelper && helperProblem(keyHelper)) || connectionProblem(await provider(choice));
    }
    try {
      await modelOfScript(script, paced);
      return undefined;
    } catch (error) {
      return `Cannot use the script: ${await reasonOf(error, script)}.`;
    }
  },
};

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

/** The provider's address and key, from the settings or the environment. */
async function provider({ env, baseURL, keyHelper }: ModelChoice): Promise<AnthropicOptions> {
  return {
    apiKey: env["ANTHROPIC_API_KEY"],
    authToken: env["ANTHROPIC_AUTH_TOKEN"],
    baseURL: env["ANTHROPIC_BASE_URL"],
    ...(baseURL !== undefined && { baseURL, baseURLFrom: "apiBaseUrl of the settings" }),
    ...(keyHelper !== undefined && { keyHelper: (await import("../edge/model/key-helper.ts")).keyHelper(keyHelper, env) }),
    apiVersion: env["TOOL_API_VERSION"],
  };
}
