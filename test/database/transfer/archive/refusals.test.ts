import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Refusal } from '../../../../src/core/errors.js';
import type { Database } from '../../../../src/db/database.js';
import { hashTables } from '../../../support/access-records.js';
import {
  createPageOfAllKinds,
  dryRunFrom,
  type Files,
  importFrom,
  readFiles,
  useArchives,
} from '../../../support/archives.js';
import { createPage } from '../../../support/factories.js';
import { hostileValues } from '../../../support/hostile-values.js';
import { writeZip } from '../../../support/zip-writer.js';
import { useOwnService } from '../../../support/service.js';
import { withChannels } from '../../../support/settings.js';
import { propertyRuns } from '../../../support/property-runs.js';

const service = useOwnService(withChannels);
const archives = useArchives();
let path: string;
let files: Files;
let target: Database;
let pageId: string;
let manifest: { version: number; files: Record<string, { rows: number; sha256: string }> };

beforeAll(async () => {
  pageId = await createPageOfAllKinds(service);
  path = await archives.write(service.database);
  files = await readFiles(path);
  manifest = JSON.parse(files.get('manifest.json')!);
  files.delete('manifest.json');
  target = await archives.openEmpty();
});

/** Writes the archive with other files, with a manifest that fits them, but for `changes`. */
function edit(changed: Record<string, string | null>, changes: object = {}): string {
  const edited: Files = new Map(files);
  for (const [name, text] of Object.entries(changed))
    if (text === null) edited.delete(name);
    else edited.set(name, text);
  const digests = [...edited].map(([name, text]) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    return [name, { rows: text.split('\n').length - 1, sha256 }];
  });
  return archives.writeFiles(edited, JSON.stringify({ ...manifest, files: Object.fromEntries(digests), ...changes }));
}

/** Returns the sentence of a refused import, which has written nothing. */
async function refuse(database: Database, archive: string): Promise<string> {
  const before = await hashTables(database);
  const error = await importFrom(database, archive).then(
    () => new Error('It was imported.'),
    reason => reason,
  );
  expect(error).toBeInstanceOf(Refusal);
  expect(await hashTables(database)).toBe(before);
  return error.message.replace('The archive cannot be imported: ', '');
}

const firstRow = (file: string) => JSON.parse(files.get(file)!.split('\n')[0]!);
const withRow = (file: string, values: object) => ({ [file]: `${JSON.stringify({ ...firstRow(file), ...values })}\n` });
const png = 'iVBORw0KGgo=';

test.each<[what: string, sentence: string | RegExp, archive: () => string]>([
  ['a file that does not exist', 'there is no such file.', () => archives.newPath()],
  ['no ZIP file', 'it is not a ZIP file.', () => archives.writeBytes(Buffer.from('zip'))],
  [
    'more files than there are kinds of records',
    'it has more than 100 files.',
    () => archives.writeBytes(writeZip(Array.from({ length: 101 }, (_, index) => ({ name: `${index}`, content: '' })))),
  ],
  [
    'a file that unpacks to far more than it has',
    'it unpacks to more than 200 times its size.',
    () => archives.writeBytes(writeZip([{ name: 'x.ndjson', content: '', unpackedSize: 65 * 1024 * 1024 }])),
  ],
  ['half of it', 'it is not a ZIP file.', () => archives.writeBytes(readFileSync(path).subarray(0, 2_000))],
  ['no manifest', 'it has no manifest.json.', () => archives.writeFiles(files, null)],
  ['a manifest that is no JSON', 'manifest.json is not JSON.', () => archives.writeFiles(files, '{')],
  ['another archive', /is not that of an archive of All Clear/, () => archives.writeFiles(files, '{"format":"x"}')],
  ['another version', /it has version 2 of the format/, () => edit({}, { version: 2 })],
  [
    'a missing file',
    'notices.ndjson is missing.',
    () => archives.writeFiles(without('notices.ndjson'), JSON.stringify(manifest)),
  ],
  [
    'a role on all pages',
    /^it gives roles on all pages to \S+@\S+ \(owner\); if you trust it, import it with --roles-on-all-pages\.$/,
    () => edit(withRow('memberships.ndjson', { page_id: null, role: 'owner' })),
  ],
  [
    'a person whose address hides the line above it on a terminal',
    /people.ndjson, line 1, is not valid at email/,
    () => edit(withRow('people.ndjson', { email: 'ann\u001b[1A\u001b[2K@example.com' })),
  ],
  ['a missing file and row of the manifest', 'notices.ndjson is missing.', () => edit({ 'notices.ndjson': null })],
  [
    'a file that is not in the manifest',
    /has a file that is not in manifest.json/,
    () => edit({ 'x.ndjson': '' }, { files: manifest.files }),
  ],
  ['a file of another version', /names a file of another version/, () => edit({ 'x.ndjson': '' })],
  [
    'another hash',
    /pages.ndjson does not have the SHA-256/,
    () => edit(withRow('pages.ndjson', { name: 'X' }), { files: manifest.files }),
  ],
  [
    'a foreign field',
    'pages.ndjson, line 1, has a field that this version does not know.',
    () => edit(withRow('pages.ndjson', { shape: 1 })),
  ],
  [
    'a subscriber that does not say whether they have left',
    /subscribers.ndjson, line 1, is not valid at unsubscribed_at/,
    () => edit(withRow('subscribers.ndjson', { unsubscribed_at: undefined })),
  ],
  [
    'a version that cannot be counted up',
    /subscribers.ndjson, line 1, is not valid at version/,
    () => edit(withRow('subscribers.ndjson', { version: 2_147_483_647 })),
  ],
  [
    'a page that does not say who sees it',
    /pages.ndjson, line 1, is not valid at visibility/,
    () => edit(withRow('pages.ndjson', { visibility: undefined })),
  ],
  [
    'a script as a colour',
    /brands.ndjson, line 1, is not valid at color_body_text/,
    () => edit(withRow('brands.ndjson', { color_body_text: 'red}</style><script>' })),
  ],
  [
    'a script as an address',
    /pages.ndjson, line 1, is not valid at website_url/,
    () => edit(withRow('pages.ndjson', { website_url: 'javascript:alert(1)' })),
  ],
  [
    'an SVG with a script',
    /brand-images.ndjson, line 1, is not valid/,
    () =>
      edit(
        withRow('brand-images.ndjson', {
          format: 'svg',
          content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64'),
        }),
      ),
  ],
  [
    'an image that is none',
    /images.ndjson, line 1, is not valid/,
    () => edit(withRow('images.ndjson', { content: png })),
  ],
  [
    'the notice of another page',
    'updates.ndjson refers to a record that is not in the archive.',
    () => edit(withRow('updates.ndjson', { notice_id: 77 })),
  ],
  [
    'a parent that is missing',
    'components.ndjson refers to a record that is not in the archive.',
    () => edit(withRow('components.ndjson', { parent_id: 77 })),
  ],
  [
    'a source with more rules than the API takes',
    /alert-sources.ndjson, line 1, is not valid at rules/,
    () => {
      const { rules } = firstRow('alert-sources.ndjson');
      return edit(withRow('alert-sources.ndjson', { rules: Array.from({ length: 101 }, () => rules[0]) }));
    },
  ],
  [
    'a bomb of one line',
    /pages.ndjson has a line that is too long/,
    () => edit({ 'pages.ndjson': ' '.repeat(60 * 1024 * 1024) }),
  ],
  [
    'a bomb of lines',
    /pages.ndjson, line 1, is not JSON/,
    () => edit({ 'pages.ndjson': '\n'.repeat(60 * 1024 * 1024) }, { files: manifest.files }),
  ],
])('%s is refused', async (_, sentence, archive) => {
  expect(await refuse(target, archive())).toMatch(sentence);
});

const without = (name: string): Files => new Map([...files].filter(([file]) => file !== name));

test('what the installation has already is listed, and nothing is imported', async () => {
  const sentence = await refuse(service.database, path);
  expect(sentence).toContain(`pages with the id ${pageId}; `);
  expect(sentence).toMatch(
    /components with the id \d+, \d+, \d+; .*; notices with the id \d+, .*; templates with the id/,
  );
  expect(sentence).toMatch(/Nothing was imported\.$/);
});

test('a domain that another page has verified is a conflict', async () => {
  const other = await archives.openEmpty();
  await importFrom(other, await archives.write(service.database, [(await createPage(service)).id]));
  await other.query(
    `insert into custom_domain (page_id, created_at, updated_at, domain, claimed_at, verified_at, proof_token, next_check_at)
     select id, now(), now(), $1, now(), now(), 'x', now() from page`,
    [firstRow('custom-domains.ndjson').domain],
  );
  expect(await refuse(other, path)).toContain(
    `custom-domains with the domain ${firstRow('custom-domains.ndjson').domain}`,
  );
});

test('an archive verifies no domain and reserves none: this installation checks each at once', async () => {
  const far = '9999-01-01T00:00:00Z';
  const [{ domain, page_id }, other] = [firstRow('custom-domains.ndjson'), 'other.example'];
  const edited = edit({
    ...withRow('custom-domains.ndjson', { claimed_at: far, verified_at: far, next_check_at: far, finding: 'cname' }),
    'domain-reservations.ndjson': `${JSON.stringify({ page_id, domain: other, until: far })}\n`,
  });
  const empty = await archives.openEmpty();
  expect((await dryRunFrom(empty, edited)).domains).toMatchObject([{ domain, page_id }]);
  expect((await importFrom(empty, edited)).domains).toMatchObject([{ domain, page_id }]);
  const read = `select verified_at, finding, claimed_at <= clock_timestamp() and next_check_at <= clock_timestamp() as due
    from custom_domain`;
  expect(await empty.query(read)).toEqual([{ verified_at: null, finding: null, due: true }]);
  expect(await empty.query('select 1 from domain_reservation')).toEqual([]);
});

test('a role on a page that is not in the archive is neither given nor reported', async () => {
  const empty = await archives.openEmpty();
  const [member] = files.get('memberships.ndjson')!.split('\n');
  const foreign = { ...JSON.parse(member!), page_id: 'ffffffff' };
  const { roles } = await importFrom(empty, edit({ 'memberships.ndjson': `${JSON.stringify(foreign)}\n` }));
  expect(roles).toEqual([]);
  expect(await empty.query('select 1 from membership')).toEqual([]);
});

test('a dry run counts what would be imported, and writes nothing', async () => {
  const before = await hashTables(target);
  const { rows } = await dryRunFrom(target, path);
  expect(rows).toMatchObject({ pages: 1, components: 3, notices: 4, subscribers: 1 });
  expect(await hashTables(target)).toBe(before);
});

test('an archive with some bytes changed is refused, or has the same records', async () => {
  const bytes = readFileSync(path);
  const change = fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      const edited = Buffer.from(bytes);
      for (const { at, value } of changes) edited[at] = value;
      const archive = archives.writeBytes(edited);
      const result = await dryRunFrom(target, archive).catch(error => error);
      if (result instanceof Refusal) expect(result.message).toMatch(/^The archive cannot be imported: .*\.$/);
      else expect(result.rows).toMatchObject({ pages: 1, components: 3, notices: 4, subscribers: 1 });
    }),
    propertyRuns(100),
  );
});

test('no archive with another value and a manifest that fits it fails without a reason', async () => {
  const filled = [...files].filter(([, text]) => text).map(([name]) => name);
  const place = fc.constantFrom(...filled).chain(file =>
    fc.record({
      file: fc.constant(file),
      field: fc.constantFrom(...Object.keys(firstRow(file))),
      value: hostileValues(pageId),
    }),
  );
  await fc.assert(
    fc.asyncProperty(place, async ({ file, field, value }) => {
      const [, ...others] = files.get(file)!.split('\n');
      const row = JSON.stringify({ ...firstRow(file), [field]: value });
      const result = await dryRunFrom(target, edit({ [file]: [row, ...others].join('\n') })).catch(error => error);
      expect(result instanceof Refusal ? result.message : result.rows).toBeTruthy();
    }),
    propertyRuns(100),
  );
});
