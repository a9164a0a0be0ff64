// Which scene of a script runs, and which of its replies is next: advanced by the agent's input and by each reply it has made.
import type { AssistantMessage, ToolResultBlock, UserMessage } from "../../../agent/ports/model.ts";
import { type Option, ownPlaceholders, type Scene, type Script } from "./file.ts";
import { ScriptError } from "./source.ts";

/** A scene that has begun; `next` counts its replies from 0. */
type Run = { scene: Scene; next: number; captures: Record<string, string> };

/** One reply of one scene, and what had been captured by then. */
export type Part = { scene: Scene; position: number; option: Option; captures: Record<string, string> };

export type Stage = {
  script: Script;
  agent: string;
  /** The scene whose tool calls are running. */
  running: Run | undefined;
  /** Scenes begun by input that arrived meanwhile. */
  queue: Run[];
  /** Scenes that have ended a turn and have replies left; the latest is last. */
  waiting: Run[];
  /** Tool results of the newest user message. */
  results: string;
  newestInput: string;
  /** Whether the newest user message had input that matches no scene. */
  unmatched: boolean;
};

export function emptyStage(script: Script, agent: string): Stage {
  return { script, agent, running: undefined, queue: [], waiting: [], results: "", newestInput: "", unmatched: false };
}

/** Marks the block that tells an agent where it works: it differs between machines, and no scene is about it. */
const environmentMark = "<environment>";

/** Takes a user message: its tool results, then each text as an input of its own. */
export function hear(stage: Stage, message: UserMessage): void {
  stage.results = message.content.flatMap((block) => (block.type === "tool_result" ? textsOf(block.content) : [])).join("\n");
  stage.unmatched = false;
  for (const block of message.content) if (block.type === "text" && !block.text.startsWith(environmentMark)) hearInput(stage, block.text);
}

function textsOf(content: ToolResultBlock["content"]): string[] {
  return typeof content === "string" ? [content] : content.flatMap((block) => (block.type === "text" ? block.text : []));
}

/**
 * Makes the next reply, of one or more parts: a part that ends the turn is followed by the first reply of a queued scene, since the input
 * that began that scene would otherwise get no answer. A part with the positions of all scenes has recorded the queue and stays alone.
 * `made` is the reply in the conversation, if it was made before. Throws ScriptError if there is none.
 */
export function perform(stage: Stage, made?: AssistantMessage): Part[] {
  const parts: Part[] = [];
  for (;;) {
    const run = nextRun(stage);
    const part = play(stage, run, made);
    parts.push(part);
    stage.running = part.option.calls.length > 0 ? run : undefined;
    if (stage.running) return parts;
    if (run.next < run.scene.replies.length) stage.waiting.push(run);
    if (stage.queue.length === 0 || part.option.saysPlace) return parts;
  }
}

/** An error with file, line, scene and reply. */
export function errorAt(script: Script, at: { scene: Scene; line: number; position: number }, what: string): ScriptError {
  return new ScriptError(`script ${script.file}:${at.line}, scene "${at.scene.name}", reply ${at.position + 1}: ${what}`);
}

/** Positions in a summary of a conversation: name, replies made, captures. */
const placeLine = /\[script ([\w-]+):(\d+)(?: ([^\]\s]*))?\]/g;

function hearInput(stage: Stage, text: string): void {
  stage.newestInput = text;
  const places = [...text.matchAll(placeLine)];
  if (places.length > 0) {
    Object.assign(stage, { running: undefined, queue: [], waiting: [] });
    for (const [line, name, position, captures] of places) restore(stage, { line, name, position: Number(position), captures });
    return;
  }
  const run = runBegunBy(stage, text);
  if (!run) stage.unmatched = true;
  else if (run.scene.interrupts) stage.running = run;
  else stage.queue.push(run);
}

function runBegunBy(stage: Stage, text: string): Run | undefined {
  const idle = !stage.running && stage.queue.length === 0;
  for (const scene of stage.script.scenes) {
    const possible = scene.agents.includes(stage.agent) && (idle || !scene.idleOnly);
    const match = possible ? scene.when.exec(text) : null;
    if (match) return { scene, next: 0, captures: { ...groupsOf(match), agent: stage.agent, place: placesOf(stage) } };
  }
  return undefined;
}

function restore(stage: Stage, place: { line: string; name: string | undefined; position: number; captures: string | undefined }): void {
  const scene = stage.script.scenes.find(({ name }) => name === place.name);
  if (!scene || place.position > scene.replies.length) {
    throw new ScriptError(`script ${stage.script.file}: it has no place ${place.line}, which the conversation names`);
  }
  const captures = { ...Object.fromEntries(new URLSearchParams(place.captures)), agent: stage.agent, place: place.line };
  const run = { scene, next: place.position, captures };
  const made = scene.replies[place.position - 1];
  if (!made) stage.queue.push(run);
  else if (made.options.some(({ calls }) => calls.length > 0)) stage.running = run;
  else if (place.position < scene.replies.length) stage.waiting.push(run);
}

function placesOf({ running, queue, waiting }: Stage): string {
  return [running, ...queue, ...waiting].flatMap((run) => (run ? placeOf(run) : [])).join(" ");
}

function placeOf({ scene, next, captures }: Run): string {
  const own = new URLSearchParams(Object.entries(captures).filter(([name]) => !ownPlaceholders.includes(name))).toString();
  return `[script ${scene.name}:${next}${own && ` ${own}`}]`;
}

function nextRun(stage: Stage): Run {
  const { running, script, agent } = stage;
  if (running && running.next < running.scene.replies.length) return running;
  const queued = stage.queue.shift();
  if (queued) return queued;
  if (running) {
    const { scene, next } = running;
    throw errorAt(
      script,
      { scene, line: scene.line, position: next - 1 },
      "exhausted: it made tool calls, and the scene has no reply to their results",
    );
  }
  const resumed = stage.unmatched ? stage.waiting.pop() : undefined;
  if (resumed) return resumed;
  const names = script.scenes.filter(({ agents }) => agents.includes(agent)).map(({ name, line }) => `"${name}" (line ${line})`);
  throw new ScriptError(
    `script ${script.file}: no scene of "${agent}" runs, and none fits the newest input "${quote(stage.newestInput)}"; there are ${names.join(", ") || "none"}`,
  );
}

function play(stage: Stage, run: Run, made: AssistantMessage | undefined): Part {
  const { scene, next: position } = run;
  const reply = scene.replies[position];
  if (!reply) throw errorAt(stage.script, { scene, line: scene.line, position }, "the scene has no such reply");
  run.next++;
  for (const option of reply.options) {
    const match = option.when?.exec(stage.results);
    if (match === null) continue;
    if (match) run.captures = { ...run.captures, ...groupsOf(match) };
    return { scene, position, option, captures: run.captures };
  }
  // after a compaction, the results that selected the option are gone; the reply itself still shows which one it was
  const option = reply.options.find(({ calls }) => made && sameTools(calls, made));
  if (option) return { scene, position, option, captures: run.captures };
  throw errorAt(stage.script, { scene, line: reply.line, position }, `no option fits the tool results "${quote(stage.results)}"`);
}

function sameTools(calls: Option["calls"], { content }: AssistantMessage): boolean {
  const used = content.flatMap((block) => (block.type === "tool_use" ? block.name : []));
  return used.join() === calls.map(({ tool }) => tool).join();
}

/** A group that did not participate in the match is empty. */
function groupsOf(match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, value ?? ""]));
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
