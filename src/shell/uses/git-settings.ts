// Settings of git for one command (`git -c color.ui=always log`) that start no program and change no place.
import type { Word } from "../words/analysis.ts";

/** Whether the word is `-c` followed by such a setting. */
export function isQuietSetting(words: Word[], at: number): boolean {
  return words[at]?.value === "-c" && quiet.test(words[at + 1]?.value ?? "");
}

const quiet =
  /^((color\.[\w.]+|core\.(quotepath|abbrev|autocrlf|ignorecase)|log\.\w+|user\.(name|email)|advice\.\w+|init\.defaultbranch|diff\.(renames|noprefix|context|algorithm)|push\.default|pull\.rebase|rebase\.autostash|merge\.conflictstyle|fetch\.prune|versionsort\.suffix)=[\w .@<>+-]*|(core\.pager|pager\.\w+)=(cat|false)?|(commit|tag)\.gpgsign=false)$/i;
