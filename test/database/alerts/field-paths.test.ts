import { beforeEach, expect, test } from '@jest/globals';
import { findSource, receiveAlerts } from '../../../src/alerts/receive.service.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { schema } from '../../../src/schema.js';
import { cloudwatchBody, snsConfirmation } from '../../support/alert-payloads.js';
import { createPublishingPage } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  page = await createPublishingPage(service, {}, []);
});

const ask = async (query: string, variables: object = {}) => {
  const { json } = await service.graphql(query, { page: page.id, ...variables });
  expect(json.errors).toBeUndefined();
  return json.data;
};
async function createSource(fields: object | null = null): Promise<{ id: string; path: string }> {
  const { createAlertSource } = await ask(
    `mutation ($page: ID!, $input: CreateAlertSourceInput!) {
       createAlertSource(pageId: $page, input: $input) { hookUrl alertSource { id } userErrors { message } } }`,
    { input: { name: 'Monitor', fields } },
  );
  expect(createAlertSource.userErrors).toEqual([]);
  return { id: createAlertSource.alertSource.id, path: new URL(createAlertSource.hookUrl).pathname };
}
const send = async (path: string, body: object) => {
  const { status, text } = await service.call('POST', path, {
    token: null,
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
  });
  return [status, text.trim()];
};
const readDrafts = async () =>
  (await ask('query ($page: ID!) { drafts(pageId: $page) { nodes { verb subject content } } }')).drafts.nodes;
const readGroups = async () =>
  (await ask('query ($page: ID!) { alertGroups(pageId: $page) { nodes { state firingCount } } }')).alertGroups.nodes;
const readPayloads = async (id: string) =>
  (
    await ask(
      'query ($page: ID!, $id: ID!) { alertPayloads(pageId: $page, filter: { sourceId: { eq: $id } }) { nodes { format failure } } }',
      { id },
    )
  ).alertPayloads.nodes;

const fields = {
  alerts: '$.events[*]',
  title: '@.rule',
  text: '@.why',
  state: '@.is',
  key: '@.id',
  service: '$.app',
  firingStates: ['BAD'],
  resolvedStates: ['GOOD'],
  labels: [{ name: 'level', path: '@.level' }],
};
const body = (...states: string[]) => ({
  app: 'shop',
  events: states.map((is, id) => ({ is, id, rule: 'Queue full', why: 'It has 10,000 orders.', level: 'high' })),
});

test('A payload that was refused is tried with field paths, which then read it', async () => {
  const { id, path } = await createSource();
  expect(await send(path, body('bad'))).toEqual([
    422,
    expect.stringContaining('Field paths of the source read any other JSON.'),
  ]);
  const tryFields = (tried: object | null) =>
    ask(
      `query ($page: ID!, $id: ID!, $fields: AlertFieldsInput) { tryAlertRules(pageId: $page, id: $id, fields: $fields) {
         alerts { title text group startsAt isFiring service labels { name value } } userErrors { path message } } }`,
      { id, fields: tried },
    );
  const { tryAlertRules } = await tryFields(fields);
  expect(tryAlertRules).toEqual({
    alerts: [
      {
        title: 'Queue full',
        text: 'It has 10,000 orders.',
        group: '0',
        startsAt: null,
        isFiring: true,
        service: 'shop',
        labels: [{ name: 'level', value: 'high' }],
      },
    ],
    userErrors: [],
  });
  const wrong = await tryFields({ ...fields, title: '@.name', key: '$..id' });
  expect(wrong.tryAlertRules.userErrors).toEqual([
    { path: ['fields', 'key'], message: '`key` must name each level in place of `..`, not "$..id".' },
  ]);
  const unmatched = await tryFields({ ...fields, title: '@.name' });
  expect(unmatched.tryAlertRules.userErrors).toEqual([
    { path: ['fields', 'title'], message: '`title` finds nothing in alert 1 by the path @.name.' },
  ]);
  const { updateAlertSource } = await ask(
    `mutation ($id: ID!, $fields: AlertFieldsInput) { updateAlertSource(id: $id, input: { fields: $fields }) {
       alertSource { fields {
         title alerts text state firingStates resolvedStates key group service startsAt labels { name path } } }
       userErrors { message } } }`,
    { id, fields },
  );
  expect(updateAlertSource).toEqual({
    alertSource: { fields: { ...fields, group: null, startsAt: null } },
    userErrors: [],
  });
  expect(await send(path, body('bad', 'bad', 'muted'))).toEqual([200, 'alerts: 2, drafts: 2']);
  expect(await readDrafts()).toMatchObject([
    { verb: 'OPEN_INCIDENT', subject: 'Queue full', content: 'It has 10,000 orders.' },
    { verb: 'OPEN_INCIDENT' },
  ]);
  expect(await send(path, body('good', 'good'))).toEqual([200, 'alerts: 2']);
  expect(await readGroups()).toMatchObject([{ state: 'RESOLVED' }, { state: 'RESOLVED' }]);
  expect(await send(path, { hello: 1 })).toEqual([422, '`fields.alerts` finds nothing by the path $.events[*].']);
  expect((await readPayloads(id))[0]).toEqual({
    format: 'CUSTOM',
    failure: '`fields.alerts` finds nothing by the path $.events[*].',
  });
});

test('A source is not stored with a path that is wrong', async () => {
  const { createAlertSource } = await ask(
    `mutation ($page: ID!, $input: CreateAlertSourceInput!) {
       createAlertSource(pageId: $page, input: $input) { userErrors { path message } } }`,
    { input: { name: 'Monitor', fields: { title: 'alert.name' } } },
  );
  expect(createAlertSource.userErrors).toEqual([
    {
      path: ['input', 'fields', 'title'],
      message: expect.stringContaining('must be a JSONPath such as `$.alert.title`'),
    },
  ]);
});

test('A message of Amazon SNS is read by the field paths, and a text as the message that has it', async () => {
  const json = await createSource({ title: '$.AlarmName', state: '$.NewStateValue', resolvedStates: ['OK'] });
  expect(await send(json.path, cloudwatchBody())).toEqual([200, 'alerts: 1, drafts: 1']);
  const text = await createSource({ title: '$.Subject', text: '$.Message' });
  expect(await send(text.path, { ...cloudwatchBody(), Message: 'Down.' })).toEqual([200, 'alerts: 1, drafts: 1']);
  expect(await readDrafts()).toMatchObject([{ content: 'Down.' }, { subject: 'shop' }]);
});

const subscribeUrl = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336';

test('A subscription of Amazon SNS is confirmed at its own host alone', async () => {
  const { id, path } = await createSource();
  const source = await findSource(service.database, path.split('/').at(-1)!);
  const asked: string[] = [];
  const receiver = {
    database: service.database,
    settings: service.settings,
    draftFormat: createInputFormat(schema),
    admit: <Result>(write: () => Promise<Result>) => write(),
    confirmSubscription: async (url: string) => void asked.push(url),
  };
  const receive = (url: string) => {
    const text = JSON.stringify(snsConfirmation(url));
    return receiveAlerts(receiver, source!, { headers: {}, body: Buffer.from(text) }, text);
  };
  expect(await receive(subscribeUrl)).toMatchObject({ alerts: 0, note: 'The subscription is confirmed.' });
  await expect(receive(subscribeUrl.replace('sns.eu-west-1.amazonaws.com', 'example.com'))).rejects.toThrow();
  expect(asked).toEqual([subscribeUrl]);
  expect(await readPayloads(id)).toEqual([
    { format: null, failure: expect.stringContaining('`SubscribeURL` must confirm a subscription at https://sns.') },
    { format: 'SNS', failure: null },
  ]);
  expect(await readDrafts()).toEqual([]);
});

test('The alerts that rules are tried on count as a part of the response', async () => {
  const paths = { alerts: '$.alerts[*]', title: '@.name', text: '$.text' };
  const { id, path } = await createSource(paths);
  const alerts = Array.from({ length: 1_001 }, (_, index) => ({ name: `Alert ${index}` }));
  const tryTwice = async () =>
    (
      await service.graphql(
        'query ($id: ID!) { a: tryAlertRules(id: $id) { alerts { text } } b: tryAlertRules(id: $id) { alerts { text } } }',
        { id },
      )
    ).json;
  await send(path, { text: 'x'.repeat(9_000), alerts });
  const { data, errors } = await tryTwice();
  expect(data.a.alerts).toHaveLength(1_001);
  expect(data.b).toBeNull();
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('longer than 16 MB') })]);
});
