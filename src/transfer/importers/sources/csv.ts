import { unescapeFormula } from '../../../core/escape-formula.js';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError } from '../../../core/errors.js';
import { parseTimestamp } from '../../../core/timestamp.js';
import { type NumberedRecord, parseRecords, toColumnName, UnreadableCsv } from '../../../subscribers/subscriber-csv.js';
import { convertRows, UnusableRow } from '../convert-rows.js';
import type { ImportedPage, ImportedSubscriber, LeftOut } from '../imported-page.js';
import { toInternationalNumber } from '../phone-countries.js';
import type { Answers, Source } from '../source.js';

/** Subscribers: with a header, as this product exports them and most do; or in the form of Statuspage's import. */
export const csv: Source = {
  label: 'CSV',
  files: ['csv'],
  async open(path) {
    try {
      return { csv: await readFile(path, 'utf8') };
    } catch {
      throw new CommandError(`${path} cannot be read.\n`);
    }
  },
  read,
};

function read({ csv: text }: Answers): ImportedPage {
  const leftOut: LeftOut[] = [];
  const records = parse(String(text));
  const first = records[0]?.record ?? [];
  const isPositional = /^(email|sms)$/i.test(first[0] ?? '') && /[@\d]/.test(first[1] ?? '');
  const names = first.map(toColumnName);
  if (!isPositional && !names.some(name => ['email', 'phone_number', 'phone'].includes(name)))
    throw new CommandError('The list needs a column "email" or "phone_number" in its first line.\n');
  const subscribers = convertRows({
    ...{ leftOut, kind: 'subscriber', rows: (isPositional ? records : records.slice(1)).map(toRow) },
    shape: z.custom<NumberedRecord & { id: string }>(),
    convert: ({ id, record }) => (isPositional ? fromPositions(id, record) : fromColumns(id, names, record)),
    result: z.custom<ImportedSubscriber>(),
  });
  return { settings: {}, components: [], notices: [], subscribers, leftOut };
}

function parse(text: string): NumberedRecord[] {
  try {
    return parseRecords(text);
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    throw new CommandError(`The list ${error.message}.\n`);
  }
}

const toRow = ({ record, line }: NumberedRecord) => ({ id: `in line ${line}`, record, line });

/** `email,<address>` or `sms,<number without country code>,<two letters of the country>`; what follows is not used. */
function fromPositions(sourceId: string, [channel = '', address = '', country = '']: readonly string[]) {
  const base = { sourceId, componentIds: null, consentedAt: null };
  if (channel.toLowerCase() === 'email') return { ...base, email: address };
  if (channel.toLowerCase() === 'sms') return { ...base, phoneNumber: toInternationalNumber(address, country) };
  throw new UnusableRow(`has the channel ${channel}, which cannot be moved`);
}

function fromColumns(sourceId: string, names: readonly string[], record: readonly string[]): ImportedSubscriber {
  const cells = Object.fromEntries(names.map((name, index) => [name, unescapeFormula(record[index] ?? '').trim()]));
  const get = (...columns: string[]) => columns.map(column => cells[column]).find(Boolean);
  if (/^(no|false|0)$/i.test(get('confirmed') ?? '')) throw new UnusableRow('has not confirmed the subscription');
  if (get('quarantined_at')) throw new UnusableRow('is in quarantine: messages to the address failed');
  const consented = get('consented_at', 'confirmed_at', 'subscribed_at', 'created_at', 'createdat');
  const phone = get('phone_number', 'phone');
  return {
    ...{ sourceId, email: get('email'), nickname: get('nickname'), company: get('company'), tags: get('tag_list') },
    ...{ firstName: get('first_name'), lastName: get('last_name'), kinds: get('kinds') },
    phoneNumber: phone && toInternationalNumber(phone, get('phone_country', 'country') ?? ''),
    ...{ consentSource: get('consent_source'), ownComponentIds: get('component_ids'), componentIds: null },
    consentedAt: consented ? parseTimestamp(consented) : null,
  };
}
