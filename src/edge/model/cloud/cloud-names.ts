// What the clouds call the models. Their own names and addresses are passed on as they are:
// https://platform.claude.com/docs/en/build-with-claude/claude-on-amazon-bedrock-legacy and …/claude-on-vertex-ai, as of 2026-11-20

/** Models whose names have a date or a version there. Newer ones have one name everywhere. */
const dated: Record<string, { bedrock: string; vertex: string }> = {
  "claude-opus-4-6": { bedrock: "global.anthropic.claude-opus-4-6-v1", vertex: "claude-opus-4-6" },
  "claude-opus-4-5": { bedrock: "global.anthropic.claude-opus-4-5-20251101-v1:0", vertex: "claude-opus-4-5@20251101" },
  "claude-opus-4-1": { bedrock: "us.anthropic.claude-opus-4-1-20250805-v1:0", vertex: "claude-opus-4-1@20250805" },
  "claude-opus-4": { bedrock: "us.anthropic.claude-opus-4-20250514-v1:0", vertex: "claude-opus-4@20250514" },
  "claude-sonnet-4-5": { bedrock: "global.anthropic.claude-sonnet-4-5-20250929-v1:0", vertex: "claude-sonnet-4-5@20250929" },
  "claude-sonnet-4": { bedrock: "global.anthropic.claude-sonnet-4-20250514-v1:0", vertex: "claude-sonnet-4@20250514" },
  "claude-haiku-4-5": { bedrock: "global.anthropic.claude-haiku-4-5-20251001-v1:0", vertex: "claude-haiku-4-5@20251001" },
};

/** The model's id at Amazon Bedrock: without a place of its own, it is asked wherever there is room. */
export function bedrockName(model: string): string {
  const name = withoutDate(model);
  return dated[name]?.bedrock ?? (name.startsWith("claude-") ? `global.anthropic.${name}` : model);
}

export function vertexName(model: string): string {
  return dated[withoutDate(model)]?.vertex ?? model;
}

const withoutDate = (model: string) => model.replace(/^(claude-.*)-\d{8}$/, "$1");

/** Whether the clouds serve the model with the older version of the API alone. */
export function isOlder(id: string): boolean {
  return /claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[1-6])?(?!-?\d\b))/.test(id);
}

/**
 * Where a model of this id answers: undefined for anywhere in the world, or where that cannot be known. Elsewhere a reply costs more, so that its
 * model is called `<place>.<model>`.
 */
export function bedrockPlace(id: string, region: string): string | undefined {
  const [, place] = /(?:^|\/)(?:([a-z-]+)\.)?anthropic\./.exec(id) ?? [undefined, "global"];
  return place === "global" ? undefined : (place ?? region);
}
