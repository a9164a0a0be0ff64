// Secrets whose name is elsewhere: in another column, in the file's name, in another line, in another argument.
import { expect, it } from "vitest";
import { scanText } from "../../src/secrets/secrets.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "./labelled.ts";

const [one, two] = [draw("plainpassword", 0, seeded(21)), draw("plainpassword", 0, seeded(22))];
const found = (text: string, path?: string) =>
  scanText(text, path === undefined ? {} : { path }).map(({ start, end }) => text.slice(start, end));

it.each([
  ["a row of SQL", `INSERT INTO users (id, password, role) VALUES (1, '${one}', 'admin'), (2, '${two}', 'user');`, undefined, [one, two]],
  ["a file of values", `name,password,role\nada,${one},admin\nbob,${two},user\n`, "users.csv", [one, two]],
  ["a table in a text", `| Name | Password |\n|---|---|\n| ada | \`${one}\` |\n| bob | ${two} |\n`, "README.md", [one, two]],
  ["a file of one line", `${one}\n`, "secrets/db_password.txt", [one]],
  ["a list of arguments", `run(["mysql", "-u", "root", "-p${one}"])`, undefined, [one]],
  ["arguments of one line each", `args:\n  - --password\n  - ${one}\n`, "pod.yaml", [one]],
  ["a line below its name", `password:\n  ${one}\nport: 5432\n`, "app.yaml", [one]],
  ["the end of a call", `password = os.getenv("DB_PASSWORD", "${one}")`, "app.py", [one]],
  ["joined texts", `const password = "${one}" +\n  "${two}";`, "app.js", [one, two]],
])("scanText() finds the secret in %s", (_, text, path, secrets) => {
  expect(found(text, path)).toEqual(secrets);
});

it("scanText() finds nothing in the same places if nothing is a secret", () => {
  expect([
    ...found(`INSERT INTO users (id, password) VALUES (1, ?), (2, $1);`),
    ...found(`name,role\nada,admin1234\n`, "users.csv"),
    ...found(`| Option | Default |\n|---|---|\n| password | see below |\n`, "README.md"),
    ...found("see the vault\n", "secrets/db_password.txt"),
    ...found(`run(["mysql", "-u", "root", "-p"])`),
    ...found(`password = os.getenv("DB_PASSWORD", "")`, "app.py"),
  ]).toEqual([]);
});
