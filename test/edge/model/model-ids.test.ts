import { expect, it } from "vitest";
import type { Model, ModelOutcome } from "../../../src/agent/ports/model.ts";
import { withModelIds } from "../../../src/edge/model/model-ids.ts";
import { leastRequest } from "../../messages-api.ts";

it("a model is asked for by the provider's id, and answers under the name that it was asked by; others are left alone", async () => {
  const asked: string[] = [];
  const usage = { input_tokens: 1, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const fault: ModelOutcome = {
    kind: "fault",
    fault: { verdict: "retry", reason: "x" },
    partial: { model: "some-build", usage, streamedBytes: 1 },
  };
  const model: Model = {
    async attempt({ model: id }) {
      asked.push(id);
      return fault;
    },
  };
  const named = withModelIds(model, { "claude-opus-5-5": "arn:x" });
  const options = { signal: new AbortController().signal, retryCount: 0, onText: () => {} };
  const outcomes = [
    await named.attempt({ ...leastRequest, model: "claude-opus-5-5" }, options),
    await named.attempt({ ...leastRequest, model: "toString" }, options),
  ];
  expect(asked).toEqual(["arn:x", "toString"]);
  expect(outcomes).toMatchObject([{ partial: { model: "claude-opus-5-5" } }, { partial: { model: "some-build" } }]);
});
