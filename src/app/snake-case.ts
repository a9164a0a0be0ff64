// What this program prints as JSON has snake_case keys, as the files of a team and the provider's own shapes have. Inside, keys are
// written as the language writes them; this is the one door between the two.

type SnakeWord<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeWord<Rest>}`
  : "";

/** `message` is the provider's, and holds the arguments of calls as the model wrote them. */
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
