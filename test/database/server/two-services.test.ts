import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

/** Nothing of a service may be shared with another one in the process, so that each follows its own settings. */
let open: TestService;
let closed: TestService;
beforeAll(async () => {
  open = await startTestService({ ...withChannels, anonymousReads: 'public', publicUrl: 'https://one.example' });
  closed = await startTestService({ anonymousReads: 'none', publicUrl: 'http://two.example:8080', rateLimit: 0.02 });
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

test('two services in one process have their own database, host, channels, access and rate limit', async () => {
  const page = await createPage(open);
  const token = open.tokens.write;
  expect(page).toMatchObject({ endpoint: `${page.id}.one.example`, send_notifications_by_email: true });
  const notice = await createNotice(open, page.path);
  expect(notice.link).toMatch(`https://${page.id}.one.example/notices/`);
  expect((await open.get(`/v1/pages/${page.id}/notices`, { token: null })).status).toBe(200);

  const other = await createPage(closed);
  expect(other).toMatchObject({ endpoint: `${other.id}.two.example`, send_notifications_by_email: false });
  expect((await closed.get(`/v1/pages/${other.id}`)).status).toBe(429);
  expect((await closed.get(`/v1/pages/${other.id}`, { token: null })).status).toBe(401);
  expect((await closed.get(`/v1/pages/${page.id}`, { token })).status).toBe(401);
  expect((await open.get(`/v1/pages/${other.id}`)).status).toBe(404);
});
