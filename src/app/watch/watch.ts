// `tool watch`: shows everything that runs on this machine until the person leaves; or prints it once.

import type { TranscriptEvent } from "../../agent/events.ts";
import { parseTranscript } from "../../agent/session/transcript.ts";
import { ordered, type Snapshot } from "../../screen/watch/row.ts";
import { plainLines } from "../../screen/watch/watch-lines.ts";
import { openWatchView, type Wish } from "../../screen/watch/watch-view.ts";
import { errorText } from "../../wording/error-text.ts";
import { styleOf } from "../print/print-reply.ts";
import { snakeCased } from "../print/snake-case.ts";
import { waker } from "../waker.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { carriedOut } from "./carry-out-wish.ts";
import { type Gathering, openGathering } from "./gather.ts";

export type WatchFlags = { json?: boolean; print?: boolean };

/** A death sends no notification, and neither does a file system of another machine. */
const pollMs = 2_000;
const printedWidth = 200;

export async function runWatch(world: World, { json, print }: WatchFlags): Promise<ExitCode> {
  const gathering = await openGathering(world);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, ...jsonOf(gathering.look()) })}\n`);
  else if (print) {
    const look = { style: styleOf(world), width: world.stdout.columns || printedWidth, nowMs: gathering.ports.clock.now().getTime() };
    world.stdout.write(`${plainLines(gathering.look(), look).join("\n")}\n`);
  } else return onScreen(world, gathering);
  return 0;
}

function jsonOf({ at, rows, today }: Snapshot) {
  return snakeCased({ at, rows: ordered(rows), today });
}

async function onScreen(world: World, gathering: Gathering): Promise<ExitCode> {
  const terminal = await world.edges.terminal();
  if (!terminal) throw new UsageError(`there is no terminal to watch in. Without one: ${world.command} watch --print, or --json`);
  const style = styleOf(world);
  const { clock, disk } = gathering.ports;
  const watch = await world.edges.watch();
  const wake = waker();
  const ending = new AbortController();
  const wishes: Wish[] = [];
  const stopSignals = world.onSignal(() => ending.abort());
  terminal.onLost(() => ending.abort());
  const view = openWatchView({
    terminal,
    style,
    nowMs: () => clock.now().getTime(),
    transcript: transcriptReader(disk),
    onWish(wish) {
      if (wish.kind === "leave") ending.abort();
      else wishes.push(wish);
      wake.notify();
    },
  });
  const folders = watchedFolders(watch, wake.notify);
  try {
    while (!ending.signal.aborted) {
      const snapshot = gathering.look();
      folders.follow(gathering.folders());
      view.show(snapshot);
      const wish = wishes.shift();
      if (wish && wish.kind !== "leave") {
        const text = await carriedOut(world, { wish, gathering, view, terminal, style }, ending.signal).catch(errorText);
        view.tell(text);
      } else await wake.next(ending.signal);
    }
    return 0;
  } finally {
    folders.close();
    stopSignals();
    view.close();
  }
}

/** Watches the folders of what runs, and changes to others as that changes. */
function watchedFolders(watch: Awaited<ReturnType<World["edges"]["watch"]>>, onChange: () => void) {
  let now = "";
  let stop = () => {};
  return {
    follow(folders: readonly string[]) {
      const next = folders.join("\n");
      if (next === now) return;
      stop();
      now = next;
      stop = watch.watch([...new Set(folders)], onChange, { pollMs });
    },
    close: () => stop(),
  };
}

const keptBytes = 256 * 1024;

/** The last events of a transcript, which is read again only when it has changed. */
function transcriptReader(disk: Gathering["ports"]["disk"]): (path: string) => TranscriptEvent[] | undefined {
  let known: { path: string; size: number; events: TranscriptEvent[] } | undefined;
  return (path) => {
    const size = disk.size(path);
    if (size === undefined) return undefined;
    if (known?.path !== path || known.size !== size) {
      const { bytes } = disk.readFrom(path, Math.max(0, size - keptBytes));
      known = { path, size, events: parseTranscript(bytes.toString("utf8")) };
    }
    return known.events;
  };
}
