import { describe, expect, it } from "vitest";
import { addRule, removeRule } from "../../src/settings/edit.ts";

describe("addRule()", () => {
  it.each([
    [undefined, '{\n  "permissions": {\n    "allow": [\n      "Bash(x)"\n    ]\n  }\n}\n'],
    ['{ "model": "m" }', '{ "model": "m", "permissions": {\n    "allow": [\n      "Bash(x)"\n    ]\n  } }'],
    ['{\n  "permissions": {\n    "deny": []\n  }\n}\n', '{\n  "permissions": {\n    "deny": [],\n    "allow": ["Bash(x)"]\n  }\n}\n'],
    ['{"permissions":{"allow":["a","b"]}}', '{"permissions":{"allow":["a","b", "Bash(x)"]}}'],
    [
      '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"a"\n\t\t]\n\t}\n}',
      '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"a",\n\t\t\t"Bash(x)"\n\t\t]\n\t}\n}',
    ],
    ['{"permissions":{"allow":["Bash(x)"]}}', '{"permissions":{"allow":["Bash(x)"]}}'],
  ])("%j becomes %j", (text, expected) => {
    expect(addRule(text, "allow", "Bash(x)").text).toBe(expected);
  });
});

describe("removeRule()", () => {
  it.each([
    ['{"permissions":{"allow":["a","Bash(x)","b"]}}', '{"permissions":{"allow":["a","b"]}}'],
    ['{"permissions":{"allow":[\n  "a",\n  "Bash(x)"\n]}}', '{"permissions":{"allow":[\n  "a"\n]}}'],
    ['{"permissions":{"allow":[\n  "Bash(x)"\n],"deny":["Bash(x)"]}}', "{}"],
    ['{"permissions":{"allow":["Bash(x)"],"deny":["a"]}}', '{"permissions":{"deny":["a"]}}'],
    ['{\n  "model": "m",\n  "permissions": {\n    "allow": [\n      "Bash(x)"\n    ]\n  }\n}\n', '{\n  "model": "m"\n}\n'],
    ['{\n  "permissions": {\n    "ask": [],\n    "deny": ["Bash(x)"]\n  }\n}\n', '{\n  "permissions": {\n    "ask": []\n  }\n}\n'],
    ['{"model":"m"}', '{"model":"m"}'],
  ])("%j becomes %j", (text, expected) => {
    expect(removeRule(text, ["allow", "deny"], "Bash(x)").text).toBe(expected);
  });
});
