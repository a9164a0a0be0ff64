// Maps times to positions on the timeline. A long time without events, such as a night before a resume, is drawn short.

export type Break = { at: number; width: number; ms: number };

export type Scale = {
  /** 0 to 100. */
  percent(time: number): number;
  /** Evenly spaced times since the start. */
  ticks: { at: number; ms: number }[];
  breaks: Break[];
};

const quietMs = 30 * 60_000;
const drawnAsMs = 5 * 60_000;
const mostTicks = 8;

/** `times`: the times of all events, in order. */
export function createScale(times: readonly number[], { from, to }: { from: number; to: number }): Scale {
  const stretches = stretchesOf([from, ...times.filter((time) => time > from && time < to), to]);
  const last = stretches.at(-1);
  const total = Math.max(1, last ? last.start + last.width : 1);
  const percent = (time: number) => {
    const within = stretches.findLast((stretch) => stretch.from <= time) ?? stretches[0];
    if (!within) return 0;
    const passed = within.to > within.from ? Math.min(1, Math.max(0, (time - within.from) / (within.to - within.from))) : 0;
    return (100 * (within.start + passed * within.width)) / total;
  };
  const quiet = stretches.filter((stretch) => stretch.quiet);
  const ticks = ticksOf(stretches, { from, step: stepFor(total) }).map((time) => ({ at: percent(time), ms: time - from }));
  const breaks = quiet.map(({ start, width, ...stretch }) => ({
    at: (100 * start) / total,
    width: (100 * width) / total,
    ms: stretch.to - stretch.from,
  }));
  return { percent, ticks, breaks };
}

type Stretch = { from: number; to: number; start: number; width: number; quiet: boolean };

/** Neighbouring stretches with events are joined. */
function stretchesOf(times: readonly number[]): Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  for (const [index, to] of times.entries()) {
    const from = times[index - 1];
    if (from === undefined) continue;
    const quiet = to - from > quietMs;
    const last = stretches.at(-1);
    const width = quiet ? drawnAsMs : to - from;
    if (last && !last.quiet && !quiet) {
      last.to = to;
      last.width += width;
    } else stretches.push({ from, to, start, width, quiet });
    start += width;
  }
  return stretches;
}

const second = 1_000;
const minute = 60 * second;
const steps = [1, 2, 5, 10, 15, 30]
  .flatMap((count) => [count * second, count * minute])
  .concat([1, 2, 4, 8, 24].map((h) => h * 60 * minute));

function stepFor(total: number): number {
  return steps.toSorted((a, b) => a - b).find((step) => total / step <= mostTicks) ?? total / mostTicks;
}

function ticksOf(stretches: Stretch[], { from, step }: { from: number; step: number }): number[] {
  return stretches.flatMap((stretch) => {
    if (stretch.quiet) return [];
    const first = Math.ceil((stretch.from - from) / step);
    const count = Math.floor((stretch.to - from) / step) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, index) => from + (first + index) * step);
  });
}
