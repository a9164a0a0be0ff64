// What the settings of a repository name that git reads as settings or runs: its own `core.hooksPath`, files that are included, and the commands
// of drivers, helpers and aliases. Nothing of it is run here, and without such a setting nothing is started.
import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeFolder } from "../../home-folder.ts";
import { ifPossible } from "../../system-error.ts";
import { readSettings } from "../own-git.ts";
import type { Setting } from "../own-settings.ts";
import { findRepository } from "../places.ts";
import { settingsFilesOf } from "../repository-settings.ts";
import { readUntrusted } from "../untrusted-file.ts";

/** `places`: absolute paths, whether something is there or not. `commands` are run in the folder `top`. */
type NamedBySettings = { top: string; places: string[]; commands: string[] };

/** Undefined if the folder has no repository. */
export async function repositoryNames(folder: string): Promise<NamedBySettings | undefined> {
  const found = findRepository(folder);
  if (found.kind !== "found") return undefined;
  const { top, gitDir, commonDir } = found.place;
  const named = await namedIn(settingsFilesOf(found.place), { top, own: [gitDir, commonDir], real: (file) => file });
  return { ...named, places: [...hooksElsewhere(join(commonDir, "hooks")), ...named.places] };
}

/** What the person's own settings include, and where they keep hooks; links lead to these files as often as not. */
export async function personsNames(home: string): Promise<string[]> {
  const real = (file: string) => ifPossible(() => realpathSync(file)) ?? file;
  const files = [".gitconfig", ".config/git/config"].map((name) => join(home, name));
  return (await namedIn([...new Set(files.flatMap((file) => [file, real(file)]))], { top: home, own: [], real })).places;
}

/** `own`: folders of git's own. `real`: where a file is that is to be read. */
type Reading = { top: string; own: string[]; real: (file: string) => string };

async function namedIn(files: string[], { top, own, real }: Reading): Promise<NamedBySettings> {
  const named: NamedBySettings = { top, places: [], commands: [] };
  for (let at = 0; at < files.length && at < mostFiles; at++) {
    const file = files[at]!;
    const content = readUntrusted(real(file), { most });
    if (content.kind !== "read" || !mayName(content.bytes)) continue;
    const parsed = await readSettings(content.bytes);
    if (!parsed.ok) continue; // git reads nothing of it either, and runs nothing
    for (const setting of parsed.settings) {
      const [key, value] = setting;
      if (/^include(?:if\..+)?\.path$/s.test(key)) {
        const included = pathOf(value, dirname(file));
        named.places.push(included);
        // A file of git's own folder is protected already; all others may name more.
        if (!files.includes(included) && !own.some((folder) => included.startsWith(`${folder}/`))) files.push(included);
      } else if (key === "core.hookspath") named.places.push(pathOf(value, top), ...hooksElsewhere(pathOf(value, top)));
      else if (isCommand(setting)) named.commands.push(value);
    }
  }
  return named;
}

/** What links in a folder of hooks lead to, as people keep their hooks in the tree, and where the folder is if it is a link itself. */
function hooksElsewhere(folder: string): string[] {
  const real = ifPossible(() => realpathSync(folder)) ?? folder;
  const links = (ifPossible(() => readdirSync(real, { withFileTypes: true })) ?? []).filter((entry) => entry.isSymbolicLink());
  const targets = links.flatMap(({ name }) => ifPossible(() => resolve(real, readlinkSync(join(real, name)))) ?? []);
  return real === folder ? targets : [real, ...targets];
}

const most = 1024 * 1024;
const mostFiles = 16;

/** git-config(1), "Values", pathname. */
const pathOf = (value: string, base: string) =>
  value.startsWith("~/") ? join(homeFolder(process.env), value.slice(1)) : resolve(base, value);

/** Names of settings are written as they are, in any case: where none of these stands, git is not asked. Each repository has `logallrefupdates`. */
const mayName = (text: Buffer) =>
  /include|hookspath|fsmonitor|command|cmd|proxy|editor|pager|askpass|external|textconv|path|driver|clean|smudge|process|helper|alias|program|filter|browser|uploadpack|receivepack|hook|(?<!logallref)update|smtpserver|tunnel/i.test(
    text.toString("latin1"),
  );

const commandKeys =
  /^(?:core\.(?:fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand)|sequence\.editor|interactive\.difffilter|pager\..+|diff\.external|diff\..+\.(?:command|textconv)|(?:diff|merge|gui)tool\..+\.(?:cmd|path)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|(?:man|browser)\..+\.(?:cmd|path)|web\.browser|remote\..+\.(?:uploadpack|receivepack)|trailer\..+\.(?:command|cmd)|uploadpack\.packobjectshook|tar\..+\.command|hook\..+\.command|sendemail\.(?:.+\.)?(?:smtpserver|sendmailcmd|tocmd|cccmd|headercmd)|imap\.tunnel)$/s;

/** These name one of git's own commands, unless the value begins like this. */
const perhapsCommandKeys = /^(?:alias\..+|credential\.(?:.+\.)?helper|submodule\..+\.update)$/s;

function isCommand([key, value]: Setting): boolean {
  return commandKeys.test(key) || (perhapsCommandKeys.test(key) && /^\s*[!/]/.test(value));
}
