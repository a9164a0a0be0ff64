// Valid names of teams and members. Names become folders, mailboxes and pane titles, so they are restricted.

const nameRule = "1 to 40 of a-z, 0-9 and -, starting with a letter or a digit";

const reserved: Record<string, string> = {
  lead: "it is the lead's name",
  user: "it means the person at the keyboard",
};

/** Why `name` is not a valid team name; undefined if it is. */
export function teamNameProblem(name: string): string | undefined {
  return isName(name) ? undefined : `Cannot name a team ${shown(name)}: a name is ${nameRule}`;
}

/** Why `name` is not a valid name for a new teammate; undefined if it is. `taken`: every name that the team has ever used. */
export function memberNameProblem(name: string, taken: string[]): string | undefined {
  if (!isName(name)) return `Cannot name a teammate ${shown(name)}: a name is ${nameRule}`;
  if (Object.hasOwn(reserved, name)) return `Cannot name a teammate "${name}": ${reserved[name]}`;
  if (taken.includes(name))
    return `Cannot name a teammate "${name}": the team has or had a member of that name, and names are not used again`;
  return undefined;
}

function isName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(name);
}

/** Shows control and non-ASCII characters as escapes, and shortens a long name. */
function shown(name: string): string {
  if (name === "") return "with an empty name";
  const escaped = JSON.stringify(name.slice(0, 60)).replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return name.length > 60 ? `${escaped} … (${name.length} characters)` : escaped;
}
