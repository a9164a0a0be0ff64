// Rebuilds the requests of a session from its transcript, and says which of them the provider would have refused.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHistory } from "../src/agent/session/history.ts";
import { parseTranscript } from "../src/agent/session/transcript.ts";
import { brokenRule } from "./api-rules.ts";

/** For all sessions below that configuration folder: the number of requests, and each rule that one breaks. */
export function requestsSent(configDir: string): { requests: number; broken: string[] } {
  const files = readdirSync(join(configDir, "projects"), { recursive: true, encoding: "utf8" });
  const transcripts = files.filter((path) => path.endsWith(".jsonl") && !/(?:sent|failures)\.jsonl$/.test(path));
  const broken: string[] = [];
  let requests = 0;
  for (const path of transcripts) {
    const history = createHistory();
    for (const event of parseTranscript(readFileSync(join(configDir, "projects", path), "utf8"))) {
      if (event.type === "reply") {
        requests++;
        const body = { model: "claude-test", max_tokens: 1, system: [], tools: [], messages: history.messages() };
        const rule = brokenRule(body);
        if (rule) broken.push(`${path}: ${rule}`);
      }
      history.apply(event);
    }
  }
  return { requests, broken };
}
