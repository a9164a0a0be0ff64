// The process at a place: serves the link on its standard input and output until its input is closed, or, with a name, until home says goodbye
// or has stayed away for too long. A later link to hands with a name is a process of its own, which passes everything on.
import { join } from "node:path";
import type { HandsStream } from "../../places/ports.ts";
import { serveHands } from "../../places/serve-hands.ts";
import type { ExitCode, World } from "../world.ts";
import { workspaceMembers } from "./workspace-members.ts";

type HandsWords = { folder: string; name?: string };

export async function runHands(world: World, { folder, name }: HandsWords): Promise<ExitCode> {
  const parts = world.stdin[Symbol.asyncIterator]();
  const first: HandsStream = {
    next: async () => (await parts.next()).value as Buffer | undefined,
    write: (line) => world.stdout.write(line),
    close: () => {},
  };
  const meetings = await world.edges.meetings();
  const meeting = name === undefined ? undefined : meetings.open(meetingOf(folder, name));
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  // A terminal that is gone is a link that has dropped.
  const stopHearing = meeting && world.onSignal((signal) => signal !== "SIGHUP" && stop());
  let close = async () => {};
  const fault = await serveHands({
    first,
    stopped,
    ...(meeting && { later: { next: meeting.next, sleep: meetings.sleep } }),
    members(link) {
      const workspace = workspaceMembers(world, folder, link);
      close = workspace.close;
      return {
        ...workspace.members,
        look: async () => ({ version: world.version, ...(await world.edges.handsFindings(folder)) }),
        echo: async (text) => text,
      };
    },
  });
  meeting?.close();
  await close();
  stopHearing?.();
  world.keepCompiled(); // nobody waits for these hands any more, and the next ones start sooner
  if (fault === undefined) return 0;
  world.stderr.write(`tool: the link was closed, because ${fault}\n`);
  return 1;
}

export async function attachToHands(world: World, { folder, name }: Required<HandsWords>): Promise<ExitCode> {
  const found = await (await world.edges.meetings()).pass(meetingOf(folder, name), {
    input: world.stdin,
    output: (text) => world.stdout.write(text),
  });
  if (!found) world.stdout.write(`${JSON.stringify({ attached: false })}\n`);
  return 0;
}

const meetingOf = (folder: string, name: string) => join(folder, "links", /^[\w-]{1,60}$/.test(name) ? name : "none");
