import type { z } from 'zod';

type Path = readonly PropertyKey[];

/** A field that is not of the type that it should have, and is not needed. */
interface DroppedField {
  path: Path;
  message: string;
}

/** Beyond this many the record is of another kind. */
const maxDropped = 30;

/**
 * Parses a record without those of its fields that are wrong and optional; throws what is wrong with a required one.
 * `mayDrop` excludes fields without which the record would say something else.
 */
export function parseLeniently<Row>(
  shape: z.ZodType<Row>,
  record: unknown,
  mayDrop: (path: Path) => boolean,
): { value: Row; dropped: DroppedField[] } {
  const dropped: DroppedField[] = [];
  let rest = record;
  let parsed = shape.safeParse(rest);
  while (!parsed.success) {
    const { issues } = parsed.error;
    if (dropped.length === maxDropped) throw parsed.error;
    const drop = issues.filter(({ path }) => mayDrop(path)).map(issue => dropOne(shape, rest, issues.length, issue));
    const found = drop.find(one => one !== null);
    if (!found) throw parsed.error;
    rest = found.rest;
    dropped.push(found);
    parsed = shape.safeParse(rest);
  }
  return { value: parsed.data, dropped };
}

/** Drops the smallest part of a record that has an issue, so that there are fewer; null: all of it is needed. */
function dropOne(
  shape: z.ZodType,
  record: unknown,
  issueCount: number,
  { path, message }: z.core.$ZodIssue,
): (DroppedField & { rest: unknown }) | null {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const rest = remove(record, part);
    const parsed = shape.safeParse(rest);
    if (parsed.success || parsed.error.issues.length < issueCount) return { path: part, message, rest };
  }
  return null;
}

function remove(record: unknown, [key, ...below]: Path): unknown {
  if (typeof record !== 'object' || record === null) return record;
  if (Array.isArray(record))
    return below.length
      ? record.map((item, index) => (index === key ? remove(item, below) : item))
      : record.filter((_, index) => index !== key);
  const { [key as string]: value, ...rest } = record as Record<string, unknown>;
  return below.length ? { ...rest, [key as string]: remove(value, below) } : rest;
}
