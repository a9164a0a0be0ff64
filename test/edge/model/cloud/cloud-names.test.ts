import { expect, it } from "vitest";
import { bedrockName, bedrockPlace, isOlder, vertexName } from "../../../../src/edge/model/cloud/cloud-names.ts";

const names = [
  "claude-sonnet-5-5",
  "claude-opus-4-7",
  "claude-opus-4-6",
  "claude-sonnet-4-6",
  "claude-sonnet-4-5-20250929",
  "claude-haiku-4-5",
  "claude-opus-4",
  "claude-opus-4-20250514",
  "eu.anthropic.claude-opus-5-5",
  "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-sonnet-4-20250514-v1:0",
  "meta.llama4",
];

it("a model has a name at each cloud, names of a cloud stay, and older models are known by either", () => {
  expect(names.map((name) => [bedrockName(name), vertexName(name), isOlder(name)])).toEqual([
    ["global.anthropic.claude-sonnet-5-5", "claude-sonnet-5-5", false],
    ["global.anthropic.claude-opus-4-7", "claude-opus-4-7", false],
    ["global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6", true],
    ["global.anthropic.claude-sonnet-4-6", "claude-sonnet-4-6", true],
    ["global.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5@20250929", true],
    ["global.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5@20251001", true],
    ["us.anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4@20250514", true],
    ["us.anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4@20250514", true],
    ...names.slice(8).map((name) => [name, name, name.includes("sonnet-4-2")]),
  ]);
});

it("a name says where its model answers", () => {
  const ids = [
    ...names.slice(8),
    "global.anthropic.claude-x",
    "anthropic.claude-x",
    "arn:aws:bedrock:us-east-1:1:application-inference-profile/x1",
  ];
  expect(ids.map((id) => bedrockPlace(id, "us-east-1"))).toEqual(["eu", "eu", undefined, undefined, "us-east-1", undefined]);
});
