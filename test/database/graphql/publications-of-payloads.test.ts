import { beforeEach, expect, test } from '@jest/globals';
import { fanOutAll, createPublishingPage } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';

/** A payload says who is notified of the write, or why nobody is. */
const service = useOwnService({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'status@acme.example' });
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  page = await createPublishingPage(service, {}, ['chatA']);
});

const publication = 'publication { id event audience { channel count } } warnings { code message }';
const write = async (call: string, selection = publication) => {
  const { data, errors } = (await service.graphql(`mutation { payload: ${call} { ${selection} } }`)).json;
  expect(errors).toBeUndefined();
  return data.payload;
};
const open = (input: string, selection?: string) =>
  write(`openIncident(pageId: "${page.id}", input: { subject: "Down", ${input} })`, selection);
const openId = async () => (await open('content: "One", shouldPublish: false', 'notice { id }')).notice.id;

test('names the publication and the number of its recipients by channel', async () => {
  const web = await page.component('Web');
  const mail = await page.component('Mail');
  await page.subscribe('ada@acme.example', [web]);
  await page.subscribe('eve@acme.example', [mail]);
  await page.subscribe('joe@acme.example');
  const { publication, warnings } = await open(`shouldPublish: true, componentIds: [${web}]`);
  const audience = [
    { channel: 'SLACK', count: 1 },
    { channel: 'EMAIL', count: 2 },
  ];
  expect(publication).toEqual({ id: expect.any(String), event: 'OPENED', audience });
  expect(warnings).toEqual([]);
  await fanOutAll(service.database);
  const again = `{ publication(pageId: "${page.id}", id: ${publication.id}) { fannedOutAt audience { channel count } } }`;
  expect((await service.graphql(again)).json.data.publication).toEqual({ fannedOutAt: expect.any(String), audience });
});

test('counts those who were notified, also when they have unsubscribed since', async () => {
  const id = await page.subscribe('ada@acme.example');
  const { publication } = await open('shouldPublish: true');
  await fanOutAll(service.database);
  await service.delete(`${page.path}/subscribers/${id}`);
  const again = `{ publication(pageId: "${page.id}", id: ${publication.id}) { audience { channel count } } }`;
  expect((await service.graphql(again)).json.data.publication.audience).toEqual([
    { channel: 'SLACK', count: 1 },
    { channel: 'EMAIL', count: 1 },
  ]);
});

test.each([
  ['openIncident', async () => `openIncident(pageId: "${page.id}", input: { subject: "Down", shouldPublish: false })`],
  ['announce', async () => `announce(pageId: "${page.id}", input: { subject: "Hello", shouldPublish: false })`],
  [
    'scheduleMaintenance',
    async () =>
      `scheduleMaintenance(pageId: "${page.id}", input: { subject: "Disks",
        beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-01T01:00:00Z", shouldPublish: false })`,
  ],
  [
    'advanceNotice',
    async () =>
      `advanceNotice(pageId: "${page.id}", id: ${await openId()}, input: { state: RESOLVED, shouldPublish: false })`,
  ],
  [
    'updateNotice',
    async () =>
      `updateNotice(pageId: "${page.id}", id: ${await openId()}, input: { subject: "Up", shouldPublish: false })`,
  ],
])('%s warns that nobody was notified unless shouldPublish is true', async (_, compose) => {
  expect(await write(await compose())).toEqual({
    publication: null,
    warnings: [{ code: 'NOT_PUBLISHED', message: 'Nobody was notified, since `shouldPublish` was not true.' }],
  });
});

test('an update warns if shouldPublish is false, and when it is changed', async () => {
  const id = await openId();
  const path = `pageId: "${page.id}", noticeId: ${id}`;
  const quiet = await write(`createNoticeUpdate(${path}, input: { content: "Two", shouldPublish: false })`);
  expect(quiet).toEqual({ publication: null, warnings: [expect.objectContaining({ code: 'NOT_PUBLISHED' })] });
  const loud = await write(
    `createNoticeUpdate(${path}, input: { content: "Three", shouldPublish: true })`,
    `update: noticeUpdate { id } page { id } ${publication}`,
  );
  expect(loud).toMatchObject({
    page: { id: page.id },
    publication: { event: 'OPENED', audience: [{ channel: 'SLACK', count: 1 }] },
    warnings: [],
  });
  const { warnings } = await write(
    `updateNoticeUpdate(${path}, id: ${loud.update.id}, input: { content: "Three!" })`,
    'warnings { message }',
  );
  expect(warnings).toEqual([{ message: 'Nobody was notified, since a changed update is not sent again.' }]);
});

test('warns that nothing changed', async () => {
  const id = await openId();
  const call = `advanceNotice(pageId: "${page.id}", id: ${id}, input: { state: INVESTIGATING, shouldPublish: true })`;
  expect(await write(call)).toMatchObject({ publication: null, warnings: [{ code: 'UNCHANGED' }] });
});

test('warns that a publication has no recipient', async () => {
  await service.database.query('delete from channel_target where page_id = $1', [page.id]);
  await page.subscribe('ada@acme.example', [await page.component('Mail')]);
  const web = await page.component('Web');
  expect(await open(`shouldPublish: true, componentIds: [${web}]`)).toMatchObject({
    publication: { audience: [] },
    warnings: [
      {
        code: 'NO_RECIPIENTS',
        message:
          'There is nobody to notify: no channel of the page is in use, and no subscriber or webhook that is not ' +
          'suspended gets this notice.',
      },
    ],
  });
});

test.each([true, false])('warns of what the preview warns of, with shouldPublish %s', async shouldPublish => {
  const web = await page.component('Web');
  const mail = await page.component('Mail');
  await open(`shouldPublish: false, componentIds: [${web}]`);
  await write(`setComponentStatus(id: ${mail}, input: { status: MAJOR_OUTAGE })`, 'component { id }');
  const input = { subject: 'Again', componentIds: [web, mail], shouldPublish };
  const variables = { page: page.id, input };
  const previewed = await service.graphql(
    `query ($page: ID!, $input: OpenIncidentInput!) {
      previewPublication(pageId: $page, input: { openIncident: $input }) { warnings { code message } } }`,
    variables,
  );
  const { warnings } = previewed.json.data.previewPublication;
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['OVERLAPPING_NOTICE', 'MANUAL_STATUS']);
  const done = await service.graphql(
    `mutation ($page: ID!, $input: OpenIncidentInput!) {
      openIncident(pageId: $page, input: $input) { warnings { code message } } }`,
    variables,
    { headers: { 'idempotency-key': `again ${shouldPublish}` } },
  );
  const unpublished = { code: 'NOT_PUBLISHED', message: expect.any(String) };
  expect(done.json.data.openIncident.warnings).toEqual(shouldPublish ? warnings : [unpublished, ...warnings]);
});
