import { createWriteStream, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { exportArchive } from '../../../../src/transfer/archive/export-archive.js';
import { renderLeftOut } from '../../../../src/transfer/archive/left-out.js';
import { sourceSecretColumn } from '../../../../src/alerts/source-secret.js';
import { loadTarget } from '../../../../src/notifications/page-channels/channel-target.js';
import { createPageOfAllKinds, importFrom, readFiles, useArchives } from '../../../support/archives.js';
import { createComponent, createPage } from '../../../support/factories.js';
import { useOwnService } from '../../../support/service.js';
import { withChannels } from '../../../support/settings.js';
import { rememberKeys } from '../../../support/remember-keys.js';

const service = useOwnService(withChannels);
const archives = useArchives();
rememberKeys();
const passphrase = 'correct horse battery staple';
const ownSettings = { secretsKey: randomBytes(32).toString('base64') };
const webhook = 'https://hooks.example.invalid/services/secret';
/** In the form of a salt of 16 bytes and a hash of 32. */
const passwordHash = `${'s'.repeat(22)}.${'h'.repeat(43)}`;
let id: string;

beforeAll(async () => {
  id = await createPageOfAllKinds(service);
  await service.database.query('update page set password_hash = $2 where id = $1', [id, passwordHash]);
});

const writeSecrets = () =>
  archives.write(service.database, [id], { secrets: { passphrase, settings: service.settings } });

test('secrets come with the passphrase alone, encrypted by the key of the installation', async () => {
  const path = await writeSecrets();
  const files = await readFiles(path);
  const lines = files.get('secrets.ndjson')!.split('\n');
  expect(lines.filter(line => line && !line.includes('"kind"')).length).toBe(3);
  expect([...files.values()].join()).not.toMatch(/s{22}\.h{43}|services\/secret/);
  expect(readFileSync(path).includes('services/secret')).toBe(false);
  const target = await archives.openEmpty();
  const secrets = { passphrase, settings: ownSettings };
  await expect(importFrom(target, path, { secrets: { ...secrets, passphrase: 'another one' } })).rejects.toThrow(
    'The archive cannot be imported: the passphrase is not that of its secrets.',
  );
  expect(await target.query('select 1 from page')).toEqual([]);
  const { rows } = await importFrom(target, path, { secrets });
  expect(rows.secrets).toBe(3);
  expect(await loadTarget(target.query, ownSettings, id, 'chatA')).toEqual({ url: webhook });
  expect(await target.query('select password_hash from page')).toEqual([{ password_hash: passwordHash }]);
  const [stored] = await target.query<{ target: object }>('select target from channel_target where target is not null');
  expect(stored!.target).toMatchObject({ url: 'https://hooks.example.invalid', sealed: expect.any(String) });
});

test('refuses a malformed password hash', async () => {
  const other = await createPage(service);
  await service.database.query(`update page set password_hash = 'salt.hash' where id = $1`, [other.id]);
  const secrets = { passphrase, settings: service.settings };
  const path = await archives.write(service.database, [other.id], { secrets });
  await expect(importFrom(await archives.openEmpty(), path, { secrets })).rejects.toThrow(
    'secrets.ndjson is not valid',
  );
  await service.delete(`/v1/pages/${other.id}`);
});

test('an archive with secrets is imported without them, and one without is refused where they are wanted', async () => {
  const target = await archives.openEmpty();
  await importFrom(target, await writeSecrets());
  expect(await target.query('select 1 from channel_target where target is not null')).toEqual([]);
  const secrets = { passphrase, settings: ownSettings };
  await expect(
    importFrom(await archives.openEmpty(), await archives.write(service.database), { secrets }),
  ).rejects.toThrow('The archive cannot be imported: it has no secrets.');
});

test('an export without secrets says how many were left out, and one with them that none were', async () => {
  const output = () => createWriteStream(archives.newPath());
  const leftOut = await exportArchive(service.database, output(), { pageIds: [id] });
  expect(renderLeftOut(leftOut).split('\n')).toEqual([
    'Left out without --secrets:',
    '1\twebhooks',
    '1\twebhooks of visitors',
    '1\tchats of visitors',
    '1\tbrowsers',
    '1\taddresses of channels',
    '1\taddresses of alert sources',
    '1\tpasswords of pages',
    '',
  ]);
  const secrets = { passphrase, settings: service.settings };
  expect(renderLeftOut(await exportArchive(service.database, output(), { pageIds: [id], secrets }))).toBe('');
});

test('a source of alerts comes with its address and secret where the secrets do, and else without access', async () => {
  const [source] = await service.database.query<{ id: number; hash: string }>('select id, hash from alert_source');
  const { hash } = source!;
  const set = 'update alert_source set secret = $1';
  await service.database.query(set, [sourceSecretColumn.seal(service.settings, { hash }, 'signing secret')]);
  const path = await writeSecrets();
  expect([...(await readFiles(path)).values()].join()).not.toContain(hash);
  const withSecrets = await archives.openEmpty();
  const without = await archives.openEmpty();
  await importFrom(withSecrets, path, { secrets: { passphrase, settings: ownSettings } });
  const read = 'select id, hash, secret from alert_source';
  const [imported] = await withSecrets.query<{ id: number; hash: string; secret: string }>(read);
  expect(imported).toMatchObject({ id: source!.id, hash });
  expect(sourceSecretColumn.open(ownSettings, { hash }, imported!.secret)).toBe('signing secret');
  await importFrom(without, path);
  const [closed] = await without.query<{ hash: string }>(read);
  expect(closed).toEqual({ id: source!.id, hash: expect.stringMatching(/^[0-9a-f]{64}$/), secret: null });
  expect(closed!.hash).not.toBe(hash);
});

test('the audit log comes with its changes, before the entry of the import', async () => {
  const target = await archives.openEmpty();
  await importFrom(target, await archives.write(service.database, [id], { hasAudit: true }));
  const log = `
    select e.at, e.actor, e.operation, e.subject, e.subject_id, c.record, c.field, c.before, c.after
    from audit_entry e left join audit_change c on c.entry_id = e.id where e.page_id = $1 order by e.id, c.id`;
  const [before, after] = await Promise.all(
    [service.database, target].map(({ query }) =>
      query<{ operation: string; subject: string; subject_id: string }>(log, [id]),
    ),
  );
  expect(before!.length).toBeGreaterThan(20);
  expect(after!.slice(0, before!.length)).toEqual(
    before!.map(entry => (entry.subject === 'Person' ? { ...entry, subject_id: null } : entry)),
  );
  expect(after!.slice(before!.length)).toMatchObject([{ operation: 'importArchive', record: 'Page', field: 'name' }]);
});

test('entries of an imported audit log name no people and no records of other pages', async () => {
  const other = await createPage(service, { name: 'Secret page' });
  const { id: component } = await createComponent(service, `/v1/pages/${other.id}`, { name: 'Secret component' });
  const [person] = await service.database.query<{ id: number }>('select id from person limit 1');
  const moved = await createPage(service);
  const add = (subject: string, subjectId: string | number) =>
    service.database.query(
      `insert into audit_entry (page_id, at, actor_kind, actor, interface, operation, subject, subject_id)
       values ($1, now(), 'token', 'x', 'graphql', 'forged', $2, $3)`,
      [moved.id, subject, String(subjectId)],
    );
  await add('Person', person!.id);
  await add('Page', other.id);
  await add('Component', component);
  const path = await archives.write(service.database, [moved.id], { hasAudit: true });
  await service.graphql(`mutation { deletePage(id: "${moved.id}") { deletedId } }`);
  await importFrom(service.database, path);
  const query = `{ auditLog(pageId: "${moved.id}", filter: { operation: { eq: "forged" } }) {
    nodes { subject subjectLabel } } }`;
  const { nodes } = (await service.graphql(query)).json.data.auditLog;
  // Before the import the entries were those of this installation.
  expect(nodes.slice(0, 3)).toEqual(['Component', 'Page', 'Person'].map(subject => ({ subject, subjectLabel: null })));
});

test('an audit log whose entries nobody could list is refused', async () => {
  const page = await createPage(service);
  await service.database.query(`update audit_entry set subject = 'Notice', subject_id = 'x' where page_id = $1`, [
    page.id,
  ]);
  const path = await archives.write(service.database, [page.id], { hasAudit: true });
  await expect(importFrom(await archives.openEmpty(), path)).rejects.toThrow('the fields do not fit one another');
});

test('roles on all pages come where they are asked for, and each role is reported', async () => {
  const [person] = await service.database.query<{ id: number; email: string }>('select id, email from person limit 1');
  const statement = `insert into membership (person_id, page_id, role) values ($1, null, 'owner')`;
  await service.database.query(statement, [person!.id]);
  const target = await archives.openEmpty();
  const path = await archives.write(service.database);
  await expect(importFrom(target, path)).rejects.toThrow('it gives roles on all pages to');
  const { roles } = await importFrom(target, path, { allowsRolesOnAllPages: true });
  expect(roles).toContainEqual({ email: person!.email, page_id: null, role: 'owner', is_mapped: false });
  expect(await target.query('select role from membership where page_id is null')).toEqual([{ role: 'owner' }]);
});
