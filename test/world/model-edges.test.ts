// Which model is used, and the one sentence that says why none can be.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelEdges } from "../../src/world/model-edges.ts";
import { scratchFolder } from "../scratch.ts";

const choice = (more: object = {}) => ({ env: {}, paced: false, ...more });

describe("a script", () => {
  const script = (text: string) => {
    const path = join(scratchFolder(), "demo.yaml");
    writeFileSync(path, text);
    return path;
  };

  it("that is missing, a folder or no script is named with what is wrong", async () => {
    const folder = scratchFolder();
    expect(await modelEdges().modelProblem(choice({ script: join(folder, "none.yaml") }))).toBe(
      `Cannot use the script: ${join(folder, "none.yaml")}: there is no such file.`,
    );
    expect(await modelEdges().modelProblem(choice({ script: folder }))).toBe(`Cannot use the script: ${folder}: it is a folder.`);
    expect(await modelEdges().modelProblem(choice({ script: script("agents: 3\n") }))).toMatch(
      /^Cannot use the script: .*demo\.yaml:1: version: missing/,
    );
  });

  it("answers instead of a model, without a key", async () => {
    const shipped = choice({ script: "fixtures/scripts/demo.yaml" });
    expect(await modelEdges().modelProblem(shipped)).toBeUndefined();
    expect(await modelEdges().model(shipped)).toHaveProperty("attempt");
  });
});

describe("a provider", () => {
  it("needs a key", async () => {
    expect(await modelEdges().modelProblem(choice())).toMatch(/ANTHROPIC_API_KEY/);
    expect(await modelEdges().modelProblem(choice({ env: { ANTHROPIC_API_KEY: "sk-test" } }))).toBeUndefined();
    expect(await modelEdges().modelProblem(choice({ env: { CLAUDE_CODE_USE_VERTEX: "1" } }))).toMatch(
      /CLAUDE_CODE_USE_VERTEX is not read here\. To ask that cloud: tool config set provider vertex\.$/,
    );
  });

  it("needs an address that is one, whether settings or the environment name it", async () => {
    const env = { ANTHROPIC_API_KEY: "sk-test" };
    expect(await modelEdges().modelProblem(choice({ env, baseURL: "nowhere" }))).toMatch(/apiBaseUrl of the settings/);
    expect(await modelEdges().modelProblem(choice({ env: { ...env, ANTHROPIC_BASE_URL: "nowhere" } }))).toMatch(/ANTHROPIC_BASE_URL/);
    expect(await modelEdges().modelProblem(choice({ env, baseURL: "https://gateway.example" }))).toBeUndefined();
  });
});
