/** HTML among the variables, as it is sent to the render process. */
export interface SerializedHtml {
  $html: string;
}

/** A map, over which templates iterate as pairs. */
export interface SerializedMap {
  $pairs: [string, unknown][];
}

/** Restores the variables for the templates. An object that is referenced several times is restored once. */
export function deserialize(
  serialized: Record<string, unknown>,
  createHtml: (html: string) => unknown,
): Record<string, unknown> {
  const seen = new Map<object, unknown>();
  const read = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = seen.get(value);
    if (copy !== undefined) return copy;
    if ('$html' in value) return createHtml((value as SerializedHtml).$html);
    if ('$pairs' in value) return createMap((value as SerializedMap).$pairs.map(([key, each]) => [key, read(each)]));
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      seen.set(value, list);
      for (const each of value) list.push(read(each));
      return list;
    }
    const object: Record<string, unknown> = {};
    seen.set(value, object);
    for (const [key, each] of Object.entries(value)) object[key] = read(each);
    return object;
  };
  return read(serialized) as Record<string, unknown>;
}

/** Adds `.first`, the first pair, as a non-enumerable member. */
function createMap(pairs: [string, unknown][]): object {
  const map = Object.fromEntries(pairs);
  if (pairs.length && !Object.hasOwn(map, 'first')) Object.defineProperty(map, 'first', { value: pairs[0] });
  return map;
}
