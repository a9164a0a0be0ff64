// Names of models as the person's settings map them to those of their provider: an inference profile, a model of a local server.
import type { Model, ModelOutcome } from "../../agent/ports/model.ts";

/** What answers under a mapped id is called by the name that it was asked for by, so that its price and its window are known. */
export function withModelIds(model: Model, ids: Readonly<Record<string, string>> = {}): Model {
  return {
    async attempt(request, options) {
      const id = Object.hasOwn(ids, request.model) ? ids[request.model] : undefined;
      if (id === undefined) return model.attempt(request, options);
      return named(await model.attempt({ ...request, model: id }, options), request.model);
    },
  };
}

function named(outcome: ModelOutcome, model: string): ModelOutcome {
  if (outcome.kind === "reply") return { ...outcome, model };
  return outcome.partial ? { ...outcome, partial: { ...outcome.partial, model } } : outcome;
}
