// What has changed at a place and is not at home yet. Code goes one way at a time, so that neither tree gets an older state back.

export type Trips = {
  /** Whether there are hands with a workspace. */
  isOpen(): boolean;
  /** Makes the tree at home what the one there is. */
  fetch(): Promise<void>;
  /** Makes the tree there what the one at home is. */
  send(): Promise<void>;
  onFailed(error: unknown): void;
};

export type ChangesThere = {
  /** While nothing else goes between the two trees. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when what is on its way home has arrived, or is lost. */
  settled(): Promise<void>;
  /** Something may have changed there. */
  note(): void;
  isPending(): boolean;
  /** The hands are gone, with everything that is not at home. `why` completes the sentence. */
  lose(why: string): void;
  /** Never rejects: a failure is told, and the next time tries again. */
  bringHome(): Promise<void>;
  /** The tree at home changes while both are the same, and so does the one there afterwards. Rejects, with nothing done, if that cannot be. */
  whileSame<T>(work: () => Promise<T>): Promise<T>;
};

export function changesThere({ isOpen, fetch, send, onFailed }: Trips): ChangesThere {
  let last: Promise<unknown> = Promise.resolve();
  let [changes, home] = [0, 0];
  let lost: string | undefined;
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
  const fetchAll = async () => {
    if (home === changes) return;
    const upTo = changes;
    if (isOpen()) await fetch();
    home = Math.max(home, upTo);
  };
  return {
    alone: inOrder,
    settled: async () => void (await last),
    note: () => void changes++,
    isPending: () => home < changes,
    lose(why) {
      if (home < changes) lost = why;
      home = changes;
    },
    bringHome: () =>
      inOrder(async () => {
        if (isOpen()) lost = undefined; // the agent has been told
        await fetchAll();
      }).catch(onFailed),
    whileSame: (work) =>
      inOrder(async () => {
        if (lost !== undefined) {
          const why = lost;
          lost = undefined;
          throw new Error(why);
        }
        await fetchAll();
        const result = await work();
        if (isOpen()) await send();
        return result;
      }),
  };
}
