import { beforeAll, expect, test } from '@jest/globals';
import { scopes } from '../../../src/auth/token.service.js';
import { maxStoredBytes } from '../../../src/http/idempotency.service.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();
let page: string;
let token: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
  token = await createToken(service.database, 'stores', scopes.write);
});

const announce = `mutation($page: ID!, $subject: String!, $content: String!) {
  announce(pageId: $page, input: { subject: $subject, content: $content, shouldPublish: false }) {
    notice { updates { nodes { content } } }
  }
}`;
const send = (subject: string, length: number, headers: Record<string, string> = { 'Idempotency-Key': subject }) =>
  service.graphql(announce, { page, subject, content: 'x'.repeat(length) }, { token, headers });
const count = async (subject: string): Promise<number> =>
  (await service.database.query('select 1 from notice where subject = $1', [subject])).length;
/** As if the responses of the token were larger, or older. */
const change = (set: string) => service.database.query(`update idempotent_response set ${set}`, []);

test('large stored responses count for the token, and one without room is refused before anything is written', async () => {
  expect((await send('first', 60_000)).status).toBe(200);
  await change(`counted_bytes = ${maxStoredBytes - 70_000} where counted_bytes is not null`);
  expect((await send('second', 60_000)).status).toBe(200);

  const refused = await send('third', 60_000);
  expect([refused.status, refused.json.errors[0].extensions.code]).toEqual([429, 'THROTTLED']);
  expect(refused.json.errors[0].message).toContain('Nothing was written');
  expect(await count('third')).toBe(0);

  // What was stored is replayed, a small response is stored, and so is that of another token.
  expect((await send('first', 60_000)).headers.get('idempotency-replayed')).toBe('true');
  expect((await send('small', 100)).status).toBe(200);
  expect((await send('without a key', 60_000, {})).status).toBe(200);
  const other = await createToken(service.database, 'other', scopes.write);
  const variables = { page, subject: 'of another', content: 'x'.repeat(60_000) };
  const ofOther = await service.graphql(announce, variables, { token: other, headers: { 'Idempotency-Key': 'x' } });
  expect(ofOther.status).toBe(200);

  // After a day there is room again.
  await change(`created_at = created_at - interval '25 hours'`);
  expect([(await send('third', 60_000)).status, await count('third')]).toEqual([200, 1]);
});
