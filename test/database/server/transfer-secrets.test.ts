import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createPageOfAllKinds, readFiles, readSealed, useArchives } from '../../support/archives.js';
import { createPage } from '../../support/factories.js';
import { peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { lastLine, sendFiles } from '../../support/transfers.js';

const settings = { ...withChannels, publicUrl: peopleOrigin };
const origin = useOwnService(settings);
const target = useOwnService({ ...settings, secretsKey: Buffer.alloc(32, 7).toString('base64') });
const archives = useArchives();
const passphrase = 'correct horse battery staple';

const exportPage = ({ cookie }: SignedInPerson, pageId: string, secret: string) =>
  fetch(`${origin.url}/console/export?page=${pageId}&file=passphrase:${Buffer.byteLength(secret)}`, {
    method: 'POST',
    headers: { cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(gzipSync(secret)),
  });

test('a page leaves with its secrets by a passphrase, and arrives with them by the same one', async () => {
  const id = await createPageOfAllKinds(origin);
  const response = await exportPage(await signIn(origin), id, passphrase);
  expect(response.status).toBe(200);
  const archive = Buffer.from(await response.arrayBuffer());
  const sealed = await readSealed(await readFiles(archives.writeBytes(archive)), passphrase);
  expect(sealed.filter(({ kind }) => kind === 'webhooks').length).toBe(4);
  const log = await origin.database.query("select operation from audit_entry where operation like 'exportPage%'");
  expect(log).toEqual([{ operation: 'exportPageWithSecrets' }]);

  const owner = await signIn(target);
  const query = { from: 'archive', dryRun: 'false' };
  const send = (secret: object) => sendFiles(target, owner, query, { 'archive.zip': archive, ...secret });
  const { error } = lastLine(await send({ passphrase: 'another passphrase' }));
  expect(error.message).toBe('The archive cannot be imported: the passphrase is not that of its secrets.');
  expect(await target.database.query('select 1 from page')).toEqual([]);
  const { result } = lastLine(await send({ passphrase }));
  expect(result.rows).toMatchObject({ pages: 1, webhooks: 4, 'webhook-keys': 1 });
  expect(await target.database.query('select 1 from publication union all select 1 from delivery')).toEqual([]);
});

test('secrets are exported to owners of all pages alone, and by a long passphrase', async () => {
  const { id } = await createPage(origin);
  const ask = async (person: SignedInPerson, secret: string) => {
    const response = await exportPage(person, id, secret);
    return [response.status, response.ok ? '' : (await response.json()).error.code];
  };
  const ofPage = await signIn(origin, 'owner', [id]);
  expect(await ask(ofPage, passphrase)).toEqual([403, 'FORBIDDEN']);
  expect(await ask(ofPage, '')).toEqual([200, '']);
  expect(await ask(await signIn(origin), 'short')).toEqual([400, 'BAD_REQUEST']);
  expect(await ask(await signIn(origin), 'x'.repeat(5_000))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});
