import { useState } from 'react';
import { useStored } from '../api/stored.ts';
import { RequestError } from '../api/transport.ts';

type Values = Record<string, unknown>;

/** What was changed on the screen, and what the fields had before. */
interface Changes<Input> {
  input: Input;
  base: Values;
}

/**
 * A form of a record that several people may change. Only what was changed is written, and survives a reload. If
 * somebody else has changed the same fields meanwhile, `stale` names those; a change of other fields is not a conflict.
 */
export function useVersionedForm<Input extends Values>(name: string, record: Values & { version: number }) {
  const [changes, setChanges] = useStored<Changes<Input>>(name);
  const [stale, setStale] = useState<(keyof Input & string)[]>([]);
  const input = changes?.input ?? ({} as Input);
  const base = changes?.base ?? {};
  const isSame = (field: string) => JSON.stringify(base[field]) === JSON.stringify(record[field]);
  const fields = Object.keys(input);

  const discard = () => {
    setChanges(undefined);
    setStale([]);
  };
  return {
    input,
    count: fields.length,
    stale,
    discard,
    read: (field: string) => (field in input ? input[field] : record[field]),
    change(field: keyof Input & string, value: unknown) {
      setChanges({
        input: { ...input, [field]: value },
        base: field in base ? base : { ...base, [field]: record[field] },
      });
    },
    /** Writes at the version that was read; `write` is asked again at the newest one if nothing collides. */
    async save(write: (version: number) => Promise<boolean>, readNewest: () => Promise<Values & { version: number }>) {
      const collides = fields.filter(field => !isSame(field));
      if (collides.length && !stale.length) return setStale(collides);
      try {
        if (await write(record.version)) discard();
      } catch (error) {
        if (!(error instanceof RequestError && error.code === 'PRECONDITION_FAILED')) throw error;
        const newest = await readNewest();
        const changed = fields.filter(field => JSON.stringify(base[field]) !== JSON.stringify(newest[field]));
        if (changed.length) setStale(changed);
        else if (await write(newest.version)) discard();
      }
    },
  };
}
