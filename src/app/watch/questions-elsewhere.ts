// The open questions of a solo session as files, so that `tool watch` can answer them too: the first answer wins.
import type { BoardDisk, Watch } from "../../board/disk.ts";
import type { Ask } from "../../permissions/permit.ts";
import { personRequests } from "../../team/requests.ts";
import { askPerson } from "../../team/teammate/ask-person.ts";

type Ports = Omit<Parameters<typeof personRequests>[1], "disk"> & {
  disk: BoardDisk;
  watch: () => Promise<Watch>;
  folder: string;
  onAnsweredElsewhere: (text: string) => void;
};

export interface QuestionsElsewhere {
  /** The same, and open elsewhere meanwhile. On a disk that refuses, it is open here alone. */
  answered(ask: Ask, from: { name: string; agent?: string }): Ask;
  /** Removes the files. */
  forget(): void;
}

export function questionsElsewhere({ folder, watch, onAnsweredElsewhere, ...ports }: Ports): QuestionsElsewhere {
  const { disk, processes } = ports;
  return {
    answered: (ask, from) => async (question, signal) => {
      const requests = personRequests(folder, ports);
      const watched = await watch();
      let here: ReturnType<Ask> | undefined;
      const own: Ask = (asked, open) => {
        here = ask(asked, open);
        return here;
      };
      const changed = (until: AbortSignal) => nextChange(watched, { folder, until });
      const asker = { ...from, process: processes.self() };
      const asking = askPerson({ requests, from: asker, own, changed, onStop: () => {}, onAnsweredElsewhere })(question, signal);
      return asking.catch(() => here ?? ask(question, signal));
    },
    forget() {
      for (const name of disk.list(folder)) disk.remove(`${folder}/${name}`);
    },
  };
}

/** Where changes of files are not told. */
const pollMs = 1_000;

function nextChange(watch: Watch, { folder, until }: { folder: string; until: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      until.removeEventListener("abort", done);
      resolve();
    };
    const stop = watch.watch([folder], done, { pollMs });
    until.addEventListener("abort", done, { once: true });
    if (until.aborted) done();
  });
}
