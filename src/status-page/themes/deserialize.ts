/** HTML among the variables, as it is told to the process that draws. */
export interface ToldMarkup {
  $markup: string;
}

/** A map that templates walk as pairs. */
export interface ToldMap {
  $pairs: [string, unknown][];
}

/** The variables as templates see them. What was told once and stands in several places is made once. */
export function revive(told: Record<string, unknown>, markup: (html: string) => unknown): Record<string, unknown> {
  const made = new Map<object, unknown>();
  const one = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = made.get(value);
    if (known !== undefined) return known;
    if ('$markup' in value) return markup((value as ToldMarkup).$markup);
    if ('$pairs' in value) return mapOf((value as ToldMap).$pairs.map(([key, each]) => [key, one(each)]));
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      made.set(value, list);
      for (const each of value) list.push(one(each));
      return list;
    }
    const object: Record<string, unknown> = {};
    made.set(value, object);
    for (const [key, each] of Object.entries(value)) object[key] = one(each);
    return object;
  };
  return one(told) as Record<string, unknown>;
}

/** `.first` is the first pair, without being a member itself. */
function mapOf(pairs: [string, unknown][]): object {
  const map = Object.fromEntries(pairs);
  if (pairs.length && !Object.hasOwn(map, 'first')) Object.defineProperty(map, 'first', { value: pairs[0] });
  return map;
}
