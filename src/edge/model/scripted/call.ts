// Checks a scripted tool call against the tool's schema: a small part of JSON Schema, enough to find mistakes in a script before a tool
// refuses them.

type Schema = Record<string, unknown>;

/** One line with the path and the error; undefined if the input is valid. Properties missing from the schema are errors. */
export function misfit(schema: unknown, value: unknown, at = "input"): string | undefined {
  if (!isObject(schema)) return undefined;
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives)) {
    const problems = alternatives.map((alternative) => misfit(alternative, value, at));
    return problems.includes(undefined) ? undefined : problems[0];
  }
  if ("const" in schema && schema["const"] !== value) return `${at} is not ${JSON.stringify(schema["const"])}`;
  const allowed = schema["enum"];
  if (Array.isArray(allowed) && !allowed.includes(value))
    return `${at} is ${JSON.stringify(value)} and not one of ${JSON.stringify(allowed)}`;
  const types = schema["type"] === undefined ? [] : [schema["type"]].flat().map(String);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `${at} is ${typeOf(value)} and not ${types.join(" or ")}`;
  if (Array.isArray(value)) return first(value, (item, n) => misfit(schema["items"], item, `${at}[${n}]`));
  return isObject(value) ? misfitOfProperties(schema, value, at) : undefined;
}

function misfitOfProperties(schema: Schema, value: Schema, at: string): string | undefined {
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const known = isObject(schema["properties"]) ? schema["properties"] : undefined;
  const others = schema["additionalProperties"];
  return first(Object.keys(value), (name) => {
    if (known && name in known) return misfit(known[name], value[name], `${at}.${name}`);
    if (others === true || (!known && others !== false)) return undefined;
    if (isObject(others)) return misfit(others, value[name], `${at}.${name}`);
    return `${at}.${name} is unknown; known are ${Object.keys(known ?? {}).join(", ") || "none"}`;
  });
}

function isOfType(value: unknown, type: string): boolean {
  return typeOf(value) === type || (type === "number" && typeof value === "number");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function first<T>(items: T[], problemOf: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem) return problem;
  }
  return undefined;
}
