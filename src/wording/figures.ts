// Counts, durations, numbers of tokens and money, as people read them.

/** `850ms`, `12s`, `1m12s`, `2h05m`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 9_950 ? `${(ms / 1000).toFixed(1)}s` : `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(seconds / 3600)}h${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")}m`;
}

/** In whole seconds, for a clock on the screen: `0s`, `5s`, `1m12s`. */
export function elapsedTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}

/** A time since a start: `02:05`, `1:02:05`. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (number: number) => String(number).padStart(2, "0");
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest}`;
}

/** On this machine's clock: `14:05`. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** On this machine's clock: `2026-11-22 14:05`. */
export function dayAndTime(iso: string): string {
  const at = new Date(iso);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${day.join("-")} ${timeOfDay(iso)}`;
}

/** `950`, `8.1k`, `212k`, `1.3M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 100_000) return `${(count / 1000).toFixed(1)}k`;
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** `950 B`, `8.1 kB`, `1.3 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** For example `48k of 200k`: how full a model's window is; empty while unknown. */
export function windowFill(held: number | undefined, window: number | undefined): string {
  const round = (number: number) =>
    number < 1000 ? String(number) : number < 1_000_000 ? `${Math.round(number / 1000)}k` : tokens(number);
  return held === undefined || window === undefined ? "" : `${round(held)} of ${round(window)}`;
}

/** For example `$0.21`; an unknown price is shown as unknown. */
export function dollars(usd: number | null): string {
  return usd === null ? "cost unknown" : `$${usd.toFixed(2)}`;
}
