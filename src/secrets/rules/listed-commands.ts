// Commands that programs and settings write as lists of texts: `["mysql", "-u", "root", "-p…"]`, and one argument a line in YAML.

/** Such commands as they would be typed, and blanks where there are none: of the same length, so that what is found there is found here. */
export function typedCommands(text: string): string | undefined {
  if (!/["'`],\s{0,20}["'`]-|["'`]-{1,2}[\w-]{1,40}["'`],|- --?\w/.test(text)) return undefined;
  const blank = (part: string) => " ".repeat(part.length);
  const typed = text
    .replaceAll(/["'`],\s{0,20}\[?["'`](?=-)|(?<=["'`\s]-{1,2}[\w-]{1,40})["'`],\s{0,20}["'`]/g, blank)
    .replaceAll(/(?<=\s-{1,2}[\w-]{1,40})["']?\r?\n[ \t]{0,20}- ["']?(?=[^-\s])/g, blank);
  let at = 0;
  // what was not changed has been looked at
  return typed.replaceAll(/[^\n]*\n?/g, (line) => {
    const same = text.startsWith(line, at);
    at += line.length;
    return same ? line.replaceAll(/[^\n]/g, " ") : line;
  });
}
