// Secrets in columns: in SQL, CSV or a text table the name of a value is in another line or cell.
import type { Found } from "../values/assignments.ts";
import { type SecretName, secretName } from "../values/names.ts";
import { isSecretValue, type ValueContext } from "../values/values.ts";

export function findInTables(text: string, path: string | undefined): Found[] {
  return [
    ...(/insert/i.test(text) ? inserted(text) : []),
    ...(path !== undefined && /\.[ct]sv$/i.test(path) ? separated(text) : []),
    ...(/^[ \t]*\|/m.test(text) ? drawn(text) : []),
  ];
}

type Cell = { text: string; start: number };

/** `INSERT INTO users (name, password) VALUES ('x', 'y')`, with any number of rows. */
function inserted(text: string): Found[] {
  const found: Found[] = [];
  let done = 0;
  for (const statement of text.matchAll(
    /\b(?:INSERT|REPLACE)\s{1,4}(?:IGNORE\s{1,4}|OR\s\w{1,10}\s)?INTO\s{1,4}\S{1,80}\s{0,4}\(([^()]{3,800})\)\s{0,8}VALUES\s{0,8}/gi,
  )) {
    const names = statement[1]!.split(",").map((name) => secretName(name.replaceAll(/["'`[\]\s]/g, "")));
    if (names.every((name) => name === undefined) || statement.index < done) continue;
    const rows = text.slice(statement.index + statement[0].length, statement.index + statement[0].length + longestRows);
    const from = statement.index + statement[0].length;
    let row: Cell[] = [];
    done = from + rows.length;
    for (const token of rows.matchAll(/N?'((?:[^'\\]|\\.|'')*)'|"((?:[^"\\]|\\.)*)"|[\w.$]+(?:\([^()]*\))?|\)|;/g)) {
      if (token[0] === ";") {
        done = from + token.index;
        break;
      }
      if (token[0] === ")") {
        found.push(...judged(row, { names, context: "quoted" }));
        row = [];
      } else {
        const value = token[1] ?? token[2];
        row.push({ text: value ?? "", start: from + token.index + (value === undefined ? 0 : token[0].indexOf(value)) });
      }
    }
  }
  return found;
}

const longestRows = 16_000;

/** Values separated by commas, semicolons or tabs, with their names in the first line. */
function separated(text: string): Found[] {
  const lines = [...text.matchAll(/[^\r\n]+/g)];
  const head = lines[0]?.[0] ?? "";
  const sign = [",", ";", "\t"].find((one) => head.includes(one));
  if (!sign) return [];
  const names = head.split(sign).map((name) => secretName(name.replaceAll(/["\s]/g, "")));
  return lines.slice(1).flatMap((line) => judged(cells(line[0], line.index, sign), { names, context: "quoted" }));
}

/** `| Password | x |`, and a table with its names in the first row. */
function drawn(text: string): Found[] {
  const found: Found[] = [];
  let names: (SecretName | undefined)[] = [];
  let last = -2;
  for (const line of text.matchAll(/^[ \t]*\|([^\n]{3,600})\|[ \t]*\r?$/gm)) {
    const row = cells(line[1]!, line.index + line[0].indexOf("|") + 1, "|");
    const own = row.map((cell) => secretName(cell.text));
    const ruled = row.every((cell) => /^[ :-]*$/.test(cell.text));
    if (line.index > last + 1) names = own;
    else if (!ruled) found.push(...judged(row, { names, context: "near name" }));
    last = line.index + line[0].length;
    if (own[0] && row[1]) found.push(...judged([row[0]!, row[1]], { names: [undefined, own[0]], context: "near name" }));
  }
  return found;
}

function cells(line: string, start: number, sign: string): Cell[] {
  const row: Cell[] = [];
  let at = start;
  for (const cell of line.split(sign)) {
    const bare = cell.trim().replace(/^(?:\*\*|["'`])+|(?:\*\*|["'`])+$/g, "");
    row.push({ text: bare, start: at + Math.max(0, cell.indexOf(bare)) });
    at += cell.length + sign.length;
  }
  return row;
}

function judged(row: Cell[], { names, context }: { names: (SecretName | undefined)[]; context: ValueContext }): Found[] {
  return row.flatMap(({ text, start }, at): Found[] => {
    const name = names[at];
    if (!name || !isSecretValue(text, name, context)) return [];
    return [{ kind: name === "password" ? "password" : "token", start, end: start + text.length }];
  });
}
