// Commands written as lists of strings: `["mysql", "-u", "root", "-p…"]`, or one argument a line in YAML.

/**
 * The same text with such commands as they would be typed, padded with spaces to keep every position, so that findings there apply to the
 * original.
 */
export function typedCommands(text: string): string | undefined {
  if (!/["'`],\s{0,20}["'`]-|["'`]-{1,2}[\w-]{1,40}["'`],|- --?\w/.test(text)) return undefined;
  const blank = (part: string) => " ".repeat(part.length);
  const typed = text
    .replaceAll(/["'`],\s{0,20}\[?["'`](?=-)|(?<=["'`\s]-{1,2}[\w-]{1,40})["'`],\s{0,20}["'`]/g, blank)
    .replaceAll(/(?<=\s-{1,2}[\w-]{1,40})["']?\r?\n[ \t]{0,20}- ["']?(?=[^-\s])/g, blank);
  let at = 0;
  // unchanged lines have been searched already
  return typed.replaceAll(/[^\n]*\n?/g, (line) => {
    const same = text.startsWith(line, at);
    at += line.length;
    return same ? line.replaceAll(/[^\n]/g, " ") : line;
  });
}
