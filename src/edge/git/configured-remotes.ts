// Names and addresses of the other repositories that are configured for a command's repository, by it or by the user.
import { git } from "./repository-files.ts";

export async function configuredRemotes(folder: string): Promise<string[]> {
  const { code, stdout } = await git(folder, ["config", "--includes", "-z", "--get-regexp", "^remote\\..*\\.(url|pushurl)$"]);
  const entries = code === 0 ? stdout.toString("utf8").split("\0").filter(Boolean) : [];
  return entries.flatMap((entry) => {
    const end = entry.indexOf("\n");
    const name = /^remote\.(.*)\.(?:push)?url$/s.exec(entry.slice(0, end))?.[1];
    return name === undefined ? [] : [name, entry.slice(end + 1)];
  });
}
