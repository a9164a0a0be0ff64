// Stores the answer "always" in the project's local settings. They apply only while they are trusted, so trust is recorded along with the
// rule; if that would trust settings that nobody has reviewed, nothing is stored.
import { basename, dirname, relative } from "node:path";
import type { KeptRules } from "../permissions/permit.ts";
import { lastingText } from "../permissions/rules.ts";
import { addRule } from "./edit.ts";
import { type LoadedSettings, localRulesFile } from "./files.ts";
import { keepOutOfGit, localSettings } from "./local-ignore.ts";
import { powerFiles, recordTrust, type TrustDisk, trustIn } from "./trust.ts";

export type KeptRulesSetup = {
  disk: TrustDisk;
  configDir: string;
  cwd: string;
  settings: Pick<LoadedSettings, "root">;
  now: () => Date;
  onFailed: (reason: string) => void;
  /** Called with the text before it is written. */
  onKeep?: (rule: string) => Promise<void>;
};

/** Undefined while the repository has settings that wait for trust: a rule beside them would have to wait as well. */
export function keptRules({ disk, configDir, cwd, settings: { root }, now, onFailed, onKeep }: KeptRulesSetup): KeptRules | undefined {
  const path = localRulesFile({ root, configDir });
  const mayKeep = () => {
    const { hash, files } = powerFiles(disk, { root, configDir });
    return hash !== undefined && (files.length === 0 || trustIn(disk, { configDir, root, hash }).state === "trusted");
  };
  if (!mayKeep()) return undefined;
  return {
    file: relative(cwd, path),
    onFailed,
    async addRule(rule) {
      const kept = cwd === root ? rule : lastingText(rule, cwd);
      await onKeep?.(kept);
      if (!mayKeep()) throw new Error("the project's settings have changed and wait for trust, which is asked at the next start");
      const before = disk.read(path)?.toString("utf8");
      const { text, there } = addRule(before, "allow", kept);
      if (there) return;
      disk.makeFolder(dirname(path), { shared: dirname(path) !== configDir });
      if (basename(path) === localSettings) keepOutOfGit(disk, path);
      disk.replace(path, text, { throughLink: dirname(path) === configDir });
      const { hash } = powerFiles(disk, { root, configDir });
      if (hash !== undefined) recordTrust(disk, { configDir, root, hash, at: now() });
    },
  };
}
