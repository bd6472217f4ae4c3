import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError } from '../../../core/errors.js';
import { parseTimestamp } from '../../../core/timestamp.js';
import { decodeText } from '../../../subscribers/lists/decode-text.js';
import { columns } from '../../../subscribers/lists/list-fields.js';
import {
  type ListRow,
  type NumberedRecord,
  parseRecords,
  readList,
  UnreadableCsv,
} from '../../../subscribers/lists/read-list.js';
import { UnusableRow } from '../convert-rows.js';
import type { ImportedPage, ImportedSubscriber, LeftOut } from '../imported-page.js';
import { toInternationalNumber } from '../../../i18n/phone-countries.js';
import { readRows } from '../read-rows.js';
import type { Answers, Source } from '../source.js';

/** Subscribers: with a header, as this product exports them and most do; or in the form of Statuspage's import. */
export const csv: Source = { label: 'CSV', files: ['csv'], open, read };

async function open(path: string): Promise<Answers> {
  const bytes = await readFile(path).catch(() => {
    throw new CommandError(`${path} cannot be read.\n`);
  });
  const text = decodeText(bytes);
  if (text === null)
    throw new CommandError(`${path} is neither in UTF-8, UTF-16 nor Windows-1252: save it as "CSV UTF-8".\n`);
  return { csv: await parseRecords(text).catch(refuseUnreadable) };
}

function read({ csv: answer }: Answers): ImportedPage {
  const records = answer as NumberedRecord[];
  const leftOut: LeftOut[] = [];
  try {
    const subscribers = isPositional(records) ? readPositions(records, leftOut) : readColumns(records, leftOut);
    return { settings: {}, components: [], notices: [], subscribers, leftOut };
  } catch (error) {
    return refuseUnreadable(error);
  }
}

function refuseUnreadable(error: unknown): never {
  throw error instanceof UnreadableCsv ? new CommandError(`The list ${error.message}.\n`) : error;
}

function isPositional([first]: readonly NumberedRecord[]): boolean {
  const [channel = '', address = ''] = first?.record ?? [];
  return /^(email|sms)$/i.test(channel) && /[@\d]/.test(address);
}

const nameRow = <Row extends { line: number }>(row: Row) => ({ ...row, id: `in line ${row.line}` });

const readPositions = (records: readonly NumberedRecord[], leftOut: LeftOut[]): ImportedSubscriber[] =>
  readRows('subscriber', leftOut, {
    rows: records.map(nameRow),
    shape: z.custom<NumberedRecord & { id: string }>(),
    convert: ({ id, record }) => fromPositions(id, record),
  });

/** `email,<address>` or `sms,<number without country code>,<two letters of the country>`; what follows is not used. */
function fromPositions(sourceId: string, [channel = '', address = '', country = '']: readonly string[]) {
  const base = { sourceId, componentIds: null, consentedAt: null };
  if (channel.toLowerCase() === 'email') return { ...base, email: address };
  if (channel.toLowerCase() === 'sms') return { ...base, phoneNumber: toInternationalNumber(address, country) };
  throw new UnusableRow(`has the channel ${channel}, which cannot be moved`);
}

function readColumns(records: readonly NumberedRecord[], leftOut: LeftOut[]): ImportedSubscriber[] {
  const { rows, ignored } = readList(records, [...columns, 'consented_at', 'phone', 'country']);
  for (const name of ignored.filter(one => one.trim()))
    leftOut.push({ kind: 'field', sourceId: JSON.stringify(name.trim()), reason: 'is a column that is not imported' });
  return readRows('subscriber', leftOut, {
    rows: rows.map(nameRow),
    shape: z.custom<ListRow & { id: string }>(),
    convert: ({ id, cells, leaving }) => {
      if (leaving) throw new UnusableRow(leaving.reason);
      return fromCells(id, cells);
    },
  });
}

function fromCells(sourceId: string, cells: ListRow['cells']): ImportedSubscriber {
  const get = (field: keyof typeof cells) => cells[field]?.trim() || undefined;
  const phone = get('phone_number') ?? get('phone');
  const consented = get('consented_at');
  return {
    sourceId,
    email: get('email'),
    nickname: get('nickname'),
    company: get('company'),
    tags: get('tag_list'),
    firstName: get('first_name'),
    lastName: get('last_name'),
    kinds: get('kinds'),
    phoneNumber: phone && toInternationalNumber(phone, get('country') ?? ''),
    consentSource: get('consent_source'),
    ownComponentIds: get('component_ids'),
    componentIds: null,
    consentedAt: consented ? parseTimestamp(consented) : null,
  };
}
