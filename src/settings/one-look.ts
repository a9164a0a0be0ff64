// One look at files that a command of an agent may be changing: what is read twice is the same both times, so that what is trusted is what is used.
import type { TrustDisk } from "./trust.ts";

/** For the time of one loading. What failed fails again. */
export function oneLook(disk: TrustDisk): TrustDisk {
  return { ...disk, read: once(disk.read), list: once(disk.list), size: once(disk.size), changedAt: once(disk.changedAt) };
}

function once<Found>(look: (path: string) => Found): (path: string) => Found {
  const seen = new Map<string, () => Found>();
  return (path) => {
    const found = seen.get(path) ?? tried(() => look(path));
    seen.set(path, found);
    return found();
  };
}

function tried<Found>(look: () => Found): () => Found {
  try {
    const found = look();
    return () => found;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
