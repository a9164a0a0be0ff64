// Scripts for iTerm2 and the shell in a tab: constant AppleScript that takes its values as arguments, and the file that a tab runs.

import { quotedWord } from "../../../wording/shell-word.ts";

/** Arguments: the launcher's path, and the lead's session id or nothing. Prints the new session's id. */
export const openTab = `on run argv
  tell application "iTerm2"
    repeat with w in windows
      repeat with t in tabs of w
        repeat with s in sessions of t
          if id of s is item 2 of argv then
            tell w to set opened to (create tab with default profile command (item 1 of argv))
            return id of current session of opened
          end if
        end repeat
      end repeat
    end repeat
    if (count of windows) is 0 then return id of current session of (create window with default profile command (item 1 of argv))
    tell current window to set opened to (create tab with default profile command (item 1 of argv))
    return id of current session of opened
  end tell
end run
`;

/** Arguments: the session id, and those of `act`. Prints the result of `act`, `gone`, or `not running`. */
export function withSession(act: string): string {
  return `on run argv
  if application "iTerm2" is not running then return "not running"
  tell application "iTerm2"
    repeat with w in windows
      repeat with t in tabs of w
        repeat with s in sessions of t
          if id of s is item 1 of argv then
            ${act}
            return ""
          end if
        end repeat
      end repeat
    end repeat
  end tell
  return "gone"
end run
`;
}

/**
 * The tab's command is a single plain path, because iTerm2 interprets quotes and variables. A failure keeps the tab, as in the other
 * displays.
 */
export function launcher({ argv, cwd, env }: { argv: string[]; cwd: string; env: Record<string, string> }): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return `#!/bin/sh
rm -f "$0"; rmdir "\${0%/*}"
trap : INT QUIT
cd ${quotedWord(cwd)} && /usr/bin/env ${[...assignments, ...argv].map(quotedWord).join(" ")}
status=$?
if [ "$status" -ne 0 ]; then printf '\\n(exit status %s) Enter closes this tab. ' "$status"; read -r _; fi
exit "$status"
`;
}
