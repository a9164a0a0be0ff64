// Names and addresses of the other repositories that are configured for a command's repository, by it or by the user.
import { git } from "./own-git.ts";
import { parseSettings } from "./own-settings.ts";

export async function configuredRemotes(folder: string): Promise<string[]> {
  const { code, stdout } = await git(folder, ["config", "-z", "--get-regexp", "^remote\\..*\\.(url|pushurl)$"]);
  return parseSettings(code === 0 ? stdout.toString("utf8") : "").flatMap(([key, value]) => {
    const name = /^remote\.(.*)\.(?:push)?url$/s.exec(key)?.[1];
    return name === undefined ? [] : [name, value];
  });
}
