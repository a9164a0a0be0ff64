// Something that is made when it is first needed, and again after it could not be made or is gone.
export function whenNeeded<T>(make: () => Promise<T>): { get(): Promise<T>; forget(): void } {
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
  };
}
