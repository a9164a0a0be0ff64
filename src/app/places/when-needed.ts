// Something that is made when it is first needed, and again after it could not be made or is gone.
export type WhenNeeded<T> = {
  get(): Promise<T>;
  forget(): void;
  /** Resolves when it is not being made any more, whatever came of it. */
  settled(): Promise<void>;
};

export function whenNeeded<T>(make: () => Promise<T>): WhenNeeded<T> {
  let made: Promise<T> | undefined;
  const forget = () => {
    made = undefined;
  };
  return {
    get() {
      if (made) return made;
      const mine = make();
      made = mine;
      mine.catch(() => {
        if (made === mine) forget();
      });
      return mine;
    },
    forget,
    settled: async () => {
      await made?.catch(() => {}); // whoever wanted it hears why
    },
  };
}
