import type { NoticeState } from '../../notices/notice.states.js';
import { UnusableRow } from './convert-rows.js';

type Table<Value> = Readonly<Record<string, Value>>;

/** The value in a table for a word of a source, which may be `constructor`. */
export const lookUp = <Value>(table: Table<Value>, word: string | null | undefined): Value | undefined =>
  word != null && Object.hasOwn(table, word) ? table[word] : undefined;

/** The state for the status of a record, which is left out where there is none. */
export function requireState(states: Table<NoticeState>, status: string): NoticeState {
  const state = lookUp(states, status);
  if (!state) throw new UnusableRow(`has the unknown status ${JSON.stringify(status)}`);
  return state;
}
