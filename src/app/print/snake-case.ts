// Converts keys to snake_case for JSON output, as in a team's files and the provider's API. Inside the program keys are camelCase; this is the only
// place that converts them.

type SnakeWord<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeWord<Rest>}`
  : "";

/** `message` is the provider's and contains the arguments of calls as the model wrote them. */
export type SnakeCased<T> = T extends (infer Item)[]
  ? SnakeCased<Item>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? SnakeWord<Key> : Key]: Key extends "message" ? T[Key] : SnakeCased<T[Key]> }
    : T;

export function snakeCased<T>(value: T): SnakeCased<T> {
  return converted(value) as SnakeCased<T>;
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [snakeWord(key), key === "message" ? part : converted(part)]));
}

const snakeWord = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
