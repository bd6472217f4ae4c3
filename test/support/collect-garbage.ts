import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In a turn of its own: a turn keeps what its weak references were asked for. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  await setImmediate();
  (runInNewContext('gc') as () => void)();
}

/** How many of the objects are alive after a collection. */
export async function countAlive(objects: readonly WeakRef<object>[]): Promise<number> {
  await collectGarbage();
  return objects.filter(one => one.deref()).length;
}
