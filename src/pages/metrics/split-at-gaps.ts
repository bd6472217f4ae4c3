/** The longest distance over which a line is drawn, in median distances: values that come late or once not at all. */
const longestDistance = 3;

/**
 * Splits points in the order of time where a line through them has a gap: after a distance of more than three times the
 * median. So a value each hour has a line, and hours without any have none.
 */
export function splitAtGaps<Point extends readonly [slot: number, ...unknown[]]>(points: readonly Point[]): Point[][] {
  const distances = points.slice(1).map(([slot], index) => slot - points[index]![0]);
  const median = distances.toSorted((one, other) => one - other)[Math.floor((distances.length - 1) / 2)] ?? 0;
  const runs: Point[][] = [];
  for (const [index, point] of points.entries()) {
    const isJoined = index > 0 && distances[index - 1]! <= longestDistance * median;
    if (isJoined) runs.at(-1)!.push(point);
    else runs.push([point]);
  }
  return runs;
}
