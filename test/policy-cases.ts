// The labelled calls in fixtures/: each line is a case, with its settings or with their name in fixtures/settings.json.
import { readFileSync } from "node:fs";

export type PolicyCase = {
  name: string;
  expect: "allow" | "ask" | "deny" | "not-allow";
  settings: { permissions: { allow: string[] } };
  call: { input: { command: string } };
};

/** Needs the repository's root as working directory. */
export function policyCases(file: string): PolicyCase[] {
  const named: Record<string, unknown> = JSON.parse(readFileSync("fixtures/settings.json", "utf8"));
  const lines = readFileSync(`fixtures/${file}.jsonl`, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { settings, ...rest } = JSON.parse(line);
    if (typeof settings === "string" && !(settings in named)) throw new Error(`No settings "${settings}" in fixtures/settings.json`);
    return { ...rest, settings: asWritten(typeof settings === "string" ? named[settings] : settings) };
  });
}

/** With the setting under which the sandbox allows nothing by itself. */
const asWritten = <T extends { sandbox?: object }>(settings: T) => ({ ...settings, sandbox: { autoAllow: false, ...settings.sandbox } });
