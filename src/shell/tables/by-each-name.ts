// A table of programs, in which one row may be about several: `"egrep, fgrep": …`.

export function byEachName<Row>(rows: Record<string, Row>): Map<string, Row> {
  return new Map(Object.entries(rows).flatMap(([names, row]) => names.split(", ").map((name) => [name, row] as const)));
}
