// Reads what a program prints, up to a time: the marker after whatever a login shell printed, and then lines.
import type { LinkProcess, PlacePorts } from "./ports.ts";

export type Got = { kind: "got"; value: string } | { kind: "ended" } | { kind: "late" } | { kind: "too long" };

export type Reading = {
  /** What is printed up to this text, which is skipped too. Without `ms` it waits as long as it takes. */
  until(mark: string, limits: { ms?: number; bytes: number }): Promise<Got>;
  /** What was printed and not taken yet. */
  rest(): string;
};

export function readingOf(link: Pick<LinkProcess, "next">, { sleep }: Pick<PlacePorts, "sleep">): Reading {
  let parts: Buffer[] = [];
  let size = 0;
  let coming: Promise<Buffer | undefined> | undefined;
  const put = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  const take = (at: number, mark: string) => {
    const all = Buffer.concat(parts);
    [parts, size] = [[], 0];
    const rest = all.subarray(at + Buffer.byteLength(mark));
    if (rest.length > 0) put(rest);
    return all.subarray(0, at).toString("utf8");
  };
  return {
    async until(mark, { ms, bytes }) {
      const late = ms === undefined ? undefined : sleep(ms).then(() => "late" as const);
      const whole = Buffer.concat(parts);
      let [from, seen] = [0, whole];
      for (;;) {
        const at = seen.indexOf(mark);
        if (at >= 0) return { kind: "got", value: take(from + at, mark) };
        if (size > bytes) return { kind: "too long" };
        coming ??= link.next();
        const next = await (late ? Promise.race([coming, late]) : coming);
        if (next === "late") return { kind: "late" };
        coming = undefined;
        if (next === undefined) return { kind: "ended" };
        // The mark may lie across two parts; what was looked through before is not looked through again.
        const tail = seen.subarray(Math.max(0, seen.length - mark.length + 1));
        [from, seen] = [size - tail.length, Buffer.concat([tail, next])];
        put(next);
      }
    },
    rest: () => Buffer.concat(parts).toString("utf8"),
  };
}
