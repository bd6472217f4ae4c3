import { useState } from 'react';

const prefix = 'all-clear ';

function read<Value>(name: string): Value | undefined {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether there is something by a name that begins so. */
export function hasStored(beginning: string): boolean {
  try {
    return Object.keys(localStorage).some(name => name.startsWith(prefix + beginning));
  } catch {
    return false;
  }
}

/** What is there by names that begin so, each with the rest of its name. */
export function listStored<Value>(beginning: string): { name: string; value: Value }[] {
  try {
    return Object.keys(localStorage)
      .filter(name => name.startsWith(prefix + beginning))
      .flatMap(name => {
        const value = read<Value>(name.slice(prefix.length));
        return value === undefined ? [] : [{ name: name.slice(prefix.length + beginning.length), value }];
      });
  } catch {
    return [];
  }
}

export function removeStored(name: string): void {
  try {
    localStorage.removeItem(prefix + name);
  } catch {
    // Nothing is stored where that is forbidden.
  }
}

/**
 * State that survives a reload, a crash and a sign-out: it is written to the browser's storage at every change.
 * Undefined removes it.
 */
export function useStored<Value>(name: string): [Value | undefined, (value: Value | undefined) => void] {
  const [value, setValue] = useState(() => read<Value>(name));
  const store = (next: Value | undefined) => {
    setValue(next);
    try {
      if (next === undefined) localStorage.removeItem(prefix + name);
      else localStorage.setItem(prefix + name, JSON.stringify(next));
    } catch {
      // The storage is full or forbidden: the text is in memory as long as the screen is open.
    }
  };
  return [value, store];
}
