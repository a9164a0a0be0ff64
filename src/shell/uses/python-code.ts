// Recognizes Python code that only computes, prints, and reads files that it names. Every word of it must be listed here, or a name that the
// code itself gives.

/** The files that the code reads; undefined if it may do anything else. */
export function readByPython(code: string): string[] | undefined {
  const texts: (string | undefined)[] = [];
  const plain = code.length > mostLength || readsOtherwise.test(code) ? undefined : withoutTexts(code, texts);
  const given = plain === undefined ? undefined : namesIn(plain);
  if (plain === undefined || given === undefined || !/\bprint\b/.test(plain) || /[^\n\t -~]|`|\.open\b|:=/.test(plain)) return undefined;
  const rest = plain
    .replaceAll(/\b(?:csv|collections|decimal)\.[A-Z]\w*/g, "")
    .replaceAll(/\.(?!Path\b|Posix|Windows|Pure)[A-Z]\w*\b(?! ?\()/g, "")
    .replaceAll(describing, "");
  const isKnown = (name: string) => listed.has(name) || given.has(name);
  return (rest.match(/[A-Za-z_]\w*/g) ?? []).every(isKnown) ? openedIn(plain, texts) : undefined;
}

/** Longer code is a program rather than a look. */
const mostLength = 4_000;

/** What ends a comment although it is no line feed, and a comment that says how the bytes of the code are to be read. */
const readsOtherwise = /[\r\f]|^[ \t]*#.*coding[:=]/m;

const string = /(?<prefix>\b[rRbBfFuU]{1,2}|)(?<quote>"""|'''|"|')(?<content>(?:\\[\s\S]|(?!\k<quote>)[\s\S])*?)\k<quote>|#[^\n]*|\\\n/g;

/** The code with a number in place of each string, and without comments; the expressions in f-strings follow at the end. */
function withoutTexts(code: string, texts: (string | undefined)[]): string | undefined {
  const inserted: string[] = [];
  const plain = code.replaceAll(string, (_, ...more) => {
    const { prefix = "", quote, content = "" } = more.at(-1) as Record<string, string | undefined>;
    if (quote === undefined) return " ";
    if (/f/i.test(prefix)) inserted.push(content.replaceAll(/\{\{|\}\}/g, ""));
    return `"${texts.push(/[fb]/i.test(prefix) || content.includes("\\") ? undefined : content) - 1}"`;
  });
  const isWhole =
    inserted.every((text) => !/[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, ""))) && !/["']/.test(plain.replaceAll(/"\d+"/g, ""));
  const expressions = inserted.flatMap((text) =>
    [...text.matchAll(/\{([^{}]*?)(?:![rsa])?(?::[^{}'"()[\]]*)?\}/g)].map(([, one = ""]) => withoutTexts(one, texts)),
  );
  return isWhole && !expressions.includes(undefined) ? [plain, ...expressions].join("\n") : undefined;
}

/** The names that the code gives to values; undefined if it imports more than listed modules, or gives a listed word another meaning. */
function namesIn(plain: string): Set<string> | undefined {
  const given = new Set<string>();
  const lists = [/(?:^|[\n;:])[ \t]*([\w, ]+?) ?[-+]?=(?!=)/g, /\bfor ([\w, ()]+?) in\b/g, /\blambda ([\w, ]*):/g, /\bas (\w+)/g];
  for (const list of lists) for (const [, names = ""] of plain.matchAll(list)) for (const [name] of names.matchAll(/\w+/g)) given.add(name);
  for (const [, from, list = ""] of plain.matchAll(importing))
    for (const one of list.split(",")) {
      const [name = ""] = one.trim().split(" ");
      const path = from === undefined ? name : `${from}.${name}`;
      if (name === "antigravity" || !(modules.has(from ?? name) || isDescribed(plain, one)) || /^(?:Posix|Windows|Pure)/.test(name))
        return undefined;
      if (name === "Path" && one.includes(" as ")) return undefined;
      if (from !== undefined && !listed.has(name) && !/^[A-Z]/.test(name)) return undefined; // such as sys.modules, or platform.os
      for (const part of path.split(".")) if (!listed.has(part)) given.add(part);
    }
  const isCounted = [...plain.matchAll(importing)].length === (plain.match(/\bimport\b/g) ?? []).length;
  return isCounted && ![...given].some((name) => listed.has(name)) ? given : undefined;
}

const importing = /(?:^|[\n;:])[ \t]*(?:from ([\w.]+) )?import ([\w., ]+)/g;
/** What a module says of itself. */
const describing = /\b(\w+)(?:\.\w+)*\.__(?:version|file|path|name|doc)__/g;

/** Whether a module that is not listed is imported, and then only described. */
function isDescribed(plain: string, imported: string): boolean {
  const name = /(\w+)(?:\.\w+)*\s*$/.exec(imported.replace(/.* as /, ""))?.[1] ?? "";
  const root = imported.trim().split(/[ .]/)[0]!;
  const rest = plain.replaceAll(importing, "").replaceAll(describing, "");
  return !listed.has(name) && ![name, root].some((each) => new RegExp(`\\b${each}\\b`).test(rest));
}

/** Files that `open` and `Path` name, directly or by a name that stands for one text; undefined if that is not certain. */
function openedIn(plain: string, texts: (string | undefined)[]): string[] | undefined {
  const uses = plain.replaceAll(importing, "").match(/\b(?:open|Path)\b/g) ?? [];
  const opened = [
    ...plain.matchAll(/\b(?:open|(?:pathlib\.)?Path)\((?:"(\d+)"|(\w+))(?:, ?"(\d+)")?(?:, ?(?:encoding|newline|errors)="\d+")*\)/g),
  ];
  // A path that is put together, or a file that replaces another.
  const isPath = /\bPath\b/.test(plain) && /\/|\.replace\b|\*/.test(plain);
  const files = opened.map(([, text, name, mode]) => {
    if (mode !== undefined && !/^r[bt]?$/.test(texts[Number(mode)] ?? "")) return undefined;
    const at = text ?? assignedOnce(plain, name!);
    return at === undefined ? undefined : texts[Number(at)] || undefined;
  });
  return uses.length !== opened.length || isPath || files.includes(undefined) ? undefined : files.map((file) => file!);
}

/** The text that a name stands for, if the code gives it that one and uses the name for nothing but opening it. */
function assignedOnce(plain: string, name: string): string | undefined {
  const others = plain.replaceAll(new RegExp(`\\b(?:open|Path)\\(${name}\\b`, "g"), "").match(new RegExp(`\\b${name}\\b`, "g"));
  return others?.length === 1 ? new RegExp(`(?:^|[\\n;])${name} ?= ?"(\\d+)" *(?:$|[\\n;])`).exec(plain)?.[1] : undefined;
}

const words = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(" ")));

const modules = words(
  "json re ast sys tomllib csv collections itertools math statistics datetime decimal textwrap pathlib platform importlib.metadata",
);
const listed = words(
  "import from as for in if elif else not and or is None True False with lambda try except pass break continue while",
  "print len sorted set list dict tuple str int float sum min max any all enumerate zip range reversed map filter repr type isinstance round abs",
  "bool next open Exception KeyError encoding newline errors key reverse default indent sep end sort_keys ensure_ascii",
  "split rsplit splitlines strip lstrip rstrip join replace startswith endswith find index count lower upper title keys values items get setdefault",
  "append extend update add sort most_common json loads dumps load re search match findall finditer sub group groups ast parse walk dump literal_eval",
  "iter_child_nodes get_docstring sys version version_info executable prefix platform stdin tomllib csv reader collections defaultdict deque namedtuple itertools groupby chain product combinations islice timedelta timezone math sqrt floor ceil statistics mean median",
  "datetime now fromisoformat isoformat strftime decimal quantize textwrap dedent pathlib Path read_text read readline readlines exists is_file stem suffix",
  "importlib metadata name id body lineno args names module machine python_version",
);
