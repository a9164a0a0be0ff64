// The maintained secret scanner: the one file that knows @secretlint. It is loaded with the first text that is looked at.
import type { Found } from "../permissions/secret-assignments.ts";
import type { Scanner } from "../permissions/secrets.ts";

/** Rules whose findings are names of accounts and users, not secrets, or that our own rules judge with more context. */
const leftOut = new Set(["@secretlint/secretlint-rule-filter-comments"]);

export function secretScanner(): Scanner {
  let loading: Promise<(text: string) => Promise<Found[]>> | undefined;
  return async (text) => {
    loading ??= load();
    return (await loading)(text);
  };
}

async function load(): Promise<(text: string) => Promise<Found[]>> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const config = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }] };
  return async (content) => {
    const { messages } = await lintSource({
      source: { content, filePath: "text", ext: "", contentType: "text" },
      options: { noPhysicFilePath: true, config },
    });
    return messages
      .filter(({ ruleId, type }) => type === "message" && !leftOut.has(ruleId))
      .map(({ ruleId, range: [start, end] }) => ({ kind: ruleId.replace(/^.*secretlint-rule-/, ""), start, end }));
  };
}
