// Settings of git for one command (`git -c color.ui=always log`) that run nothing and work nowhere else.
import type { Word } from "../words/analysis.ts";

/** Whether `-c` stands at this place and is given such a setting. */
export function isQuietSetting(words: Word[], at: number): boolean {
  return words[at]?.value === "-c" && quiet.test(words[at + 1]?.value ?? "");
}

const quiet =
  /^((color\.[\w.]+|core\.(quotepath|abbrev|autocrlf|ignorecase)|log\.\w+|user\.(name|email)|advice\.\w+|init\.defaultbranch|diff\.(renames|noprefix|context|algorithm)|push\.default|pull\.rebase|rebase\.autostash|merge\.conflictstyle|fetch\.prune|versionsort\.suffix)=[\w .@<>+-]*|(core\.pager|pager\.\w+)=(cat|false)?|(commit|tag)\.gpgsign=false)$/i;
