import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sealedKinds } from '../../../../src/transfer/archive/kinds.js';
import { sealRecord } from '../../../../src/transfer/archive/sealed-records.js';
import { createKeyring } from '../../../../src/transfer/archive/secrets.js';
import { Refusal } from '../../../../src/core/errors.js';
import type { Database } from '../../../../src/db/database.js';
import type { Keyring } from '../../../../src/notifications/page-channels/keyring.js';
import { hashTables } from '../../../support/access-records.js';
import { createPageOfAllKinds, dryRunFrom, type Files, importFrom } from '../../../support/archives.js';
import { readFiles, readSealed, useArchives } from '../../../support/archives.js';
import { useService } from '../../../support/service.js';
import { hostileValues } from '../../../support/hostile-values.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { rememberKeys } from '../../../support/remember-keys.js';

/** Records whose author knows the passphrase. */
const service = useService();
const archives = useArchives();
rememberKeys();
const passphrase = 'correct horse battery staple';
let target: Database;
let files: Files;
let records: { kind: string; json: string }[];
let keyring: Keyring;
let pageId: string;

beforeAll(async () => {
  pageId = await createPageOfAllKinds(service);
  files = await readFiles(await archives.write(service.database, [pageId], { secrets: secrets() }));
  records = await readSealed(files, passphrase);
  keyring = await createKeyring(passphrase, JSON.parse(files.get('manifest.json')!).salt);
  target = await archives.openEmpty();
});

const secrets = () => ({ passphrase, settings: service.settings });

/** The archive with these sealed records in place of its own, and a manifest that fits them. */
function withRecords(changed: readonly { kind: string; json: string }[]): string {
  const others = files
    .get('secrets.ndjson')!
    .split('\n')
    .filter(line => line && !JSON.parse(line).kind);
  const lines = [...others, ...changed.map(({ kind, json }) => sealRecord(kind, json, keyring))];
  const text = lines.map(line => `${line}\n`).join('');
  const manifest = JSON.parse(files.get('manifest.json')!);
  const sha256 = createHash('sha256').update(text).digest('hex');
  manifest.files['secrets.ndjson'] = { rows: lines.length, sha256 };
  const edited: Files = new Map([...files, ['secrets.ndjson', text]]);
  edited.delete('manifest.json');
  return archives.writeFiles(edited, JSON.stringify(manifest));
}

/** Changes the first record of a kind. */
function edit(kind: string, change: (record: Record<string, unknown>) => object): string {
  const at = records.findIndex(record => record.kind === kind);
  return withRecords(records.with(at, { kind, json: JSON.stringify(change(JSON.parse(records[at]!.json))) }));
}

test('records as they were exported are imported', async () => {
  const { rows } = await dryRunFrom(target, withRecords(records), { secrets: secrets() });
  expect(rows).toMatchObject({ webhooks: 4, 'webhook-keys': 1, 'webhook-components': 3 });
});

test.each<[what: string, sentence: RegExp, archive: () => string]>([
  ['a script as an address', /secrets.ndjson, line \d+, is not valid at target.url/, () => withTarget('javascript:1')],
  ['a file as an address', /is not valid at target.url/, () => withTarget('file:///etc/passwd')],
  [
    'a field of another version',
    /has a field that this version does not know/,
    () => edit('webhooks', row => ({ ...row, x: 1 })),
  ],
  [
    'the page of somebody else',
    /secrets.ndjson refers to a record that is not in/,
    () => edit('webhooks', row => ({ ...row, page_id: '0badcafe' })),
  ],
  [
    'a component of somebody else',
    /refers to a record that is not in/,
    () => edit('webhook-components', row => ({ ...row, component_id: 77 })),
  ],
  ['the secret of another kind', /do not fit one another/, () => edit('webhooks', row => ({ ...row, format: 'push' }))],
  [
    'a public key of another pair',
    /do not fit one another/,
    () => edit('webhook-keys', row => ({ ...row, public_key: 'whpk_x' })),
  ],
  [
    'webhooks without the key of the page',
    /a page has webhooks and no key/,
    () => withRecords(records.filter(({ kind }) => kind !== 'webhook-keys')),
  ],
  [
    'the same record twice',
    /does not fit the tables/,
    () => withRecords([...records, records.find(({ kind }) => kind === 'webhook-keys')!]),
  ],
])('%s is refused', async (_, sentence, archive) => {
  const before = await hashTables(target);
  const error = await importFrom(target, archive(), { secrets: secrets() }).catch(reason => reason);
  expect(error).toBeInstanceOf(Refusal);
  expect(error.message).toMatch(sentence);
  expect(await hashTables(target)).toBe(before);
});

const withTarget = (url: string) => edit('webhooks', row => ({ ...row, target: { ...(row.target as object), url } }));

test('a webhook whose id the installation has already is a conflict', async () => {
  const database = await archives.openEmpty();
  await database.query(
    `with p as (
       insert into page (id, created_at, updated_at, name, link_key)
       values ('0badcafe', now(), now(), 'x', repeat('a', 64)) returning id
     )
     insert into webhook (id, created_at, updated_at, page_id, format, target)
     select $1, now(), now(), id, 'standard', '{}' from p`,
    [JSON.parse(records.find(({ kind }) => kind === 'webhooks')!.json).id],
  );
  await expect(importFrom(database, withRecords(records), { secrets: secrets() })).rejects.toThrow(
    /^The installation has already: webhooks with the id \d+. Nothing was imported.$/,
  );
});

test('no archive with another value in a sealed record fails without a reason', async () => {
  const place = fc.constantFrom(...records).chain(({ kind, json }) =>
    fc.record({
      kind: fc.constant(kind),
      field: fc.constantFrom(...Object.keys(JSON.parse(json))),
      value: hostileValues(pageId),
    }),
  );
  await fc.assert(
    fc.asyncProperty(place, async ({ kind, field, value }) => {
      const archive = edit(kind, row => ({ ...row, [field]: value }));
      const result = await dryRunFrom(target, archive, { secrets: secrets() }).catch(error => error);
      expect(result instanceof Refusal ? result.message : result.rows).toBeTruthy();
    }),
    propertyRuns(50),
  );
  expect(sealedKinds.every(([name]) => records.some(({ kind }) => kind === name))).toBe(true);
}, 180_000);
