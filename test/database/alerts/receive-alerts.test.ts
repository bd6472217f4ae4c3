import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  alertBodies,
  alertmanagerBody,
  cloudwatchBody,
  grafanaBody,
  grafanaTestBody,
  ownBody,
  pagerdutyBody,
  snsConfirmation,
  threeHostsBody,
  uptimeKumaBody,
} from '../../support/alert-payloads.js';
import { changeFields, toInput } from '../../support/draft-change.js';
import { createPublishingPage } from '../../support/ledger.js';
import { type TestRequest, useService } from '../../support/service.js';

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
async function createSource(input: object = {}): Promise<{ id: string; path: string }> {
  const { createAlertSource } = await ask(
    `mutation ($page: ID!, $input: CreateAlertSourceInput!) {
       createAlertSource(pageId: $page, input: $input) { hookUrl alertSource { id lastFour } userErrors { message } } }`,
    { input: { name: 'Prometheus', ...input } },
  );
  expect(createAlertSource.userErrors).toEqual([]);
  const { id, lastFour } = createAlertSource.alertSource;
  expect(createAlertSource.hookUrl.endsWith(lastFour)).toBe(true);
  return { id, path: new URL(createAlertSource.hookUrl).pathname };
}
const send = (path: string, json: unknown, request: TestRequest = {}) =>
  service.post(path, json, { token: null, ...request });
const receive = async (path: string, json: unknown) => {
  const { status, text } = await send(path, json);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return text.trim();
};
const readDrafts = async () => {
  const { drafts } = await ask(
    `query ($page: ID!) { drafts(pageId: $page, first: 100) { nodes { id verb author { label } ${changeFields} subject content } } }`,
  );
  return drafts.nodes.map(({ change, ...draft }: { change: unknown }) => ({ ...draft, input: toInput(change) }));
};
const readGroups = async () =>
  (
    await ask(
      `query ($page: ID!) { alertGroups(pageId: $page) {
         nodes { id title state receivedCount firingCount draftId noticeId failure } } }`,
    )
  ).alertGroups.nodes;
async function publishDraft(id: string): Promise<string> {
  const data = await ask(
    `mutation ($page: ID!, $id: ID!) {
       publishDraft(pageId: $page, id: $id, input: { shouldPublish: false }) { notice { id } userErrors { message } } }`,
    { id },
  );
  expect(data.publishDraft.userErrors).toEqual([]);
  return data.publishDraft.notice.id;
}
const readNotices = async () =>
  (
    await ask(
      `query ($page: ID!) { notices(pageId: $page) { nodes { id subject state componentIds latestUpdate { content } } } }`,
    )
  ).notices.nodes;

const readPayloads = async (id: string) =>
  (
    await ask(
      'query ($page: ID!, $id: ID!) { alertPayloads(pageId: $page, filter: { sourceId: { eq: $id } }) { nodes { format body failure } } }',
      { id },
    )
  ).alertPayloads.nodes;
const subscribeUrl = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336';

describe.each(Object.entries(alertBodies))('The alert of %s', (format, createBody) => {
  test('becomes one draft, and its end the draft of the resolution', async () => {
    const { id, path } = await createSource();
    expect(await receive(path, createBody())).toBe('alerts: 1, drafts: 1');
    expect(await receive(path, createBody())).toBe('alerts: 1');
    const [draft, ...others] = await readDrafts();
    expect([draft, others]).toMatchObject([
      { verb: 'OPEN_INCIDENT', author: { label: 'alerts of Prometheus' }, subject: expect.stringContaining('shop') },
      [],
    ]);
    const noticeId = await publishDraft(draft.id);
    expect(await readGroups()).toMatchObject([
      { state: 'OPEN', receivedCount: 2, firingCount: 1, noticeId, draftId: null },
    ]);
    expect(await receive(path, createBody(false))).toBe('alerts: 1, drafts: 1');
    expect(await receive(path, createBody(false))).toBe('alerts: 1');
    const [resolution, ...more] = await readDrafts();
    expect([resolution.verb, more]).toEqual(['ADVANCE_NOTICE', []]);
    expect(await readNotices()).toMatchObject([{ id: noticeId, state: 'INVESTIGATING' }]);
    await publishDraft(resolution.id);
    expect(await readNotices()).toMatchObject([{ id: noticeId, state: 'RESOLVED' }]);
    const payloads = await ask(
      'query ($page: ID!, $id: ID!) { alertPayloads(pageId: $page, filter: { sourceId: { eq: $id } }) { nodes { format alertCount body failure } } }',
      { id },
    );
    expect(payloads.alertPayloads.nodes).toHaveLength(4);
    expect(payloads.alertPayloads.nodes[3]).toEqual({
      format,
      alertCount: 1,
      failure: null,
      body: JSON.stringify(createBody()),
    });
  });
});

describe('A group', () => {
  test('has one draft, whatever number of its alerts arrives, and a limit of groups holds for a source', async () => {
    const { path } = await createSource();
    const list = (from: number, group: (index: number) => string) => ({
      alerts: Array.from({ length: 500 }, (_, index) => ({
        title: 'A disk is full',
        status: 'firing',
        fingerprint: `disk ${from + index}`,
        group: group(from + index),
      })),
    });
    const one = Array.from({ length: 20 }, (_, index) => list(500 * index, () => 'disks'));
    const answers = await Promise.all(one.map(body => receive(path, body)));
    expect(answers.toSorted()).toEqual([...Array(19).fill('alerts: 500'), 'alerts: 500, drafts: 1']);
    expect(await readDrafts()).toHaveLength(1);
    expect(await readGroups()).toMatchObject([{ receivedCount: 10_000, firingCount: 1_000 }]);
    await receive(
      path,
      list(0, index => `group ${index}`),
    );
    // 100 groups of their own, and one for all further alerts.
    const { drafts, alertGroups } = await ask(
      'query ($page: ID!) { drafts(pageId: $page) { totalCount } alertGroups(pageId: $page) { totalCount } }',
    );
    expect([drafts.totalCount, alertGroups.totalCount]).toEqual([101, 101]);
  });

  test('whose draft was deleted makes no other one before all of its alerts are over', async () => {
    const { path } = await createSource();
    await receive(path, ownBody());
    const [draft] = await readDrafts();
    await ask('mutation ($id: ID!) { deleteDraft(id: $id) { deletedId } }', { id: draft.id });
    await receive(path, ownBody());
    expect(await readDrafts()).toEqual([]);
    await receive(path, ownBody(false));
    await receive(path, ownBody());
    expect(await readDrafts()).toHaveLength(1);
  });

  test('that fires again has its resolution withdrawn, and keeps its notice', async () => {
    const { path } = await createSource();
    await receive(path, ownBody());
    await publishDraft((await readDrafts())[0].id);
    await receive(path, ownBody(false));
    expect(await readDrafts()).toHaveLength(1);
    await receive(path, ownBody());
    expect(await readDrafts()).toEqual([]);
    await receive(path, ownBody(false));
    expect(await readDrafts()).toMatchObject([{ verb: 'ADVANCE_NOTICE' }]);
    expect(await readNotices()).toHaveLength(1);
  });

  test('is resolved only when all of its alerts are over, and proposes nothing for a draft that nobody published', async () => {
    const { path } = await createSource();
    await receive(path, alertmanagerBody());
    await receive(path, alertmanagerBody(true, { instance: 'shop-2' }));
    await receive(path, alertmanagerBody(false));
    expect(await readGroups()).toMatchObject([{ state: 'OPEN', firingCount: 1 }]);
    await receive(path, alertmanagerBody(false, { instance: 'shop-2' }));
    expect(await readGroups()).toMatchObject([{ state: 'RESOLVED', firingCount: 0 }]);
    expect(await readDrafts()).toMatchObject([{ verb: 'OPEN_INCIDENT' }]);
  });

  test('says why no draft could be made, and does not try again with each alert', async () => {
    const { path } = await createSource();
    await service.database.query(
      `insert into draft (page_id, verb, change, author_key, created_at, updated_at)
       select $1, 'announce', '{"announce":{}}', 'x', clock_timestamp(), clock_timestamp() from generate_series(1, 200)`,
      [page.id],
    );
    expect(await receive(path, ownBody())).toBe('alerts: 1');
    expect(await readGroups()).toMatchObject([
      { state: 'OPEN', failure: expect.stringContaining('at most 200 drafts') },
    ]);
  });
});

describe('The rules of a source', () => {
  const template = async (values: object = {}) =>
    (
      await service.post(`${page.path}/notice_templates`, {
        name: 'Outage',
        subject: 'The shop is slow',
        initial_comment: 'We look into it.',
        ...values,
      })
    ).json.response.id as string;

  test('name components and the template, ignore alerts, and publish and resolve by themselves only if they say so', async () => {
    const shop = String(await page.component('Shop'));
    const rules = [
      { label: 'severity', value: 'info', action: 'IGNORE' },
      { value: 'sh*', componentIds: [shop], templateId: await template(), action: 'PUBLISH', shouldResolve: true },
    ];
    const { path } = await createSource({ rules });
    expect(
      await receive(path, {
        alerts: [{ title: 'Noise', status: 'firing', labels: { severity: 'info' }, service: 'shop' }],
      }),
    ).toBe('alerts: 1, ignored: 1');
    await page.subscribe('reader@example.com');
    expect(await receive(path, ownBody())).toBe('alerts: 1, published: 1');
    expect(await readNotices()).toMatchObject([
      {
        subject: 'The shop is slow',
        state: 'INVESTIGATING',
        componentIds: [shop],
        latestUpdate: { content: 'We look into it.' },
      },
    ]);
    expect(await receive(path, ownBody(false))).toBe('alerts: 1, published: 1');
    expect(await readNotices()).toMatchObject([{ state: 'RESOLVED' }]);
    expect(await readDrafts()).toEqual([]);
    const [entry] = await service.database.query<{ actor: string; operation: string; kind: string }>(
      `select actor, operation, actor_kind as kind from audit_entry where page_id = $1 order by id desc limit 1`,
      [page.id],
    );
    expect(entry).toEqual({ actor: 'alerts of Prometheus', operation: 'receiveAlert', kind: 'automation' });
    const { publications } = await ask(
      'query ($page: ID!) { publications(pageId: $page) { nodes { event publishedBy { kind label } } } }',
    );
    expect(publications.nodes.map(({ event }: { event: string }) => event)).toEqual(['CLOSED', 'OPENED']);
  });

  test('never publish the words of an alert: without a template that has a subject it is a draft', async () => {
    const { path } = await createSource({
      rules: [{ templateId: await template({ subject: null }), action: 'PUBLISH' }],
    });
    expect(await receive(path, ownBody())).toBe('alerts: 1, drafts: 1');
    expect(await readNotices()).toEqual([]);
  });

  test('may name what was deleted since', async () => {
    const shop = await page.component('Shop');
    const templateId = await template();
    const { path } = await createSource({ rules: [{ componentIds: [String(shop)], templateId, action: 'PUBLISH' }] });
    await service.delete(`${page.path}/components/${shop}`);
    await service.delete(`${page.path}/notice_templates/${templateId}`);
    expect(await receive(path, ownBody())).toBe('alerts: 1, drafts: 1');
    expect(await readDrafts()).toMatchObject([{ subject: 'The shop does not answer' }]);
  });

  test('are tried on the latest request, which changes nothing', async () => {
    const { id, path } = await createSource();
    const tryRules = async (rules: object[] | null) =>
      (
        await service.graphql(
          `query ($page: ID!, $id: ID!, $rules: [AlertRuleInput!]) { tryAlertRules(pageId: $page, id: $id, rules: $rules) {
             alerts { title isFiring service labels { name value } action } userErrors { path message } } }`,
          { page: page.id, id, rules },
        )
      ).json;
    expect((await tryRules(null)).data.tryAlertRules).toEqual({ alerts: [], userErrors: [] });
    await receive(path, alertmanagerBody());
    expect((await tryRules([{ label: 'severity', value: 'crit*', action: 'IGNORE' }])).data.tryAlertRules).toEqual({
      alerts: [
        {
          title: 'The shop does not answer',
          isFiring: true,
          service: 'shop',
          action: 'IGNORE',
          labels: [
            { name: 'alertname', value: 'Down' },
            { name: 'service', value: 'shop' },
            { name: 'instance', value: 'shop-1' },
            { name: 'severity', value: 'critical' },
          ],
        },
      ],
      userErrors: [],
    });
    expect((await tryRules(null)).data.tryAlertRules.alerts).toMatchObject([{ action: 'DRAFT' }]);
    expect(await readDrafts()).toHaveLength(1);
    expect((await tryRules([{ action: 'IGNORE' }, { action: 'PUBLISH' }])).data.tryAlertRules.userErrors).toEqual([
      { path: ['rules', '1', 'templateId'], message: '`rules.1.templateId` must not be blank.' },
    ]);
  });

  test('what would be made of a request counts for the response, as often as it is asked for', async () => {
    const { id, path } = await createSource();
    const alerts = Array.from({ length: 500 }, (_, index) => ({ labels: { alertname: `a${index}` } }));
    await receive(path, { version: '4', groupKey: 'g', message: 'm'.repeat(5_000), alerts });
    const tryRules = async (texts: string) => {
      const query = `query ($page: ID!, $id: ID!) { tryAlertRules(pageId: $page, id: $id) { alerts { ${texts} } } }`;
      return (await service.graphql(query, { page: page.id, id })).json;
    };
    const { data } = await tryRules('text');
    expect(data.tryAlertRules.alerts).toHaveLength(500);
    expect(data.tryAlertRules.alerts[0].text).toHaveLength(5_000);
    const { errors } = await tryRules(Array.from({ length: 90 }, (_, index) => `a${index}: text`).join(' '));
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  });

  test('are refused with what is wrong in which', async () => {
    const other = await createPublishingPage(service, {}, []);
    const rules = [
      { componentIds: [String(await other.component('Foreign'))] },
      { action: 'PUBLISH' },
      // The database's driver takes a gigabyte of memory for it.
      { templateId: '1'.repeat(10_000_000) },
      { value: '*'.repeat(11) },
      { value: '*'.repeat(10) },
    ];
    const { createAlertSource } = await ask(
      `mutation ($page: ID!, $input: CreateAlertSourceInput!) {
         createAlertSource(pageId: $page, input: $input) { userErrors { path code } } }`,
      { input: { name: ' ', rules, secret: 'short' } },
    );
    expect(createAlertSource.userErrors.toSorted()).toEqual(
      expect.arrayContaining([
        { path: ['input', 'name'], code: 'BLANK' },
        { path: ['input', 'rules', '0', 'componentIds', '0'], code: 'NOT_FOUND' },
        { path: ['input', 'rules', '1', 'templateId'], code: 'BLANK' },
        { path: ['input', 'rules', '2', 'templateId'], code: 'NOT_FOUND' },
        { path: ['input', 'rules', '3', 'value'], code: 'INVALID' },
        { path: ['input', 'secret'], code: 'INVALID' },
      ]),
    );
    expect(createAlertSource.userErrors).toHaveLength(6);
  });
});

describe('The address of a source', () => {
  test('is stored as a hash, ends when it is rotated or deleted, and tells nothing of others', async () => {
    const { id, path } = await createSource();
    const token = path.split('/').at(-1)!;
    const [row] = await service.database.query<{ text: string }>(
      'select s::text as text from alert_source s where id = $1',
      [id],
    );
    expect(row!.text).not.toContain(token);
    const { rotateAlertSourceUrl } = await ask('mutation ($id: ID!) { rotateAlertSourceUrl(id: $id) { hookUrl } }', {
      id,
    });
    const gone = { status: 404, text: expect.stringContaining('No source of alerts has this address.') };
    expect(await send(path, ownBody())).toMatchObject(gone);
    expect(await send(`/hooks/${'x'.repeat(43)}`, ownBody())).toMatchObject(gone);
    const rotated = new URL(rotateAlertSourceUrl.hookUrl).pathname;
    expect(await receive(rotated, ownBody())).toBe('alerts: 1, drafts: 1');
    await ask('mutation ($id: ID!) { deleteAlertSource(id: $id) { deletedId } }', { id });
    expect(await send(rotated, ownBody())).toMatchObject(gone);
    expect(await readDrafts()).toHaveLength(1);
  });

  test.each<[string, TestRequest, number, string]>([
    ['no body', {}, 400, 'The body must be JSON, sent as application/json.'],
    ['a form', { form: 'a=1' }, 400, 'The body must be JSON, sent as application/json.'],
    [
      'broken JSON',
      { body: '{"alerts":', headers: { 'content-type': 'application/json' } },
      400,
      'The body is not JSON.',
    ],
    ['another shape', { json: { hello: 1 } }, 422, 'The body is in none of the known formats: Alert'],
    [
      'a bad status',
      { json: { alerts: [{ title: 'x', status: 'on' }] } },
      422,
      '`alerts.0.status` must be one of firing, ',
    ],
    ['too much', { json: { alerts: ['x'.repeat(600_000)] } }, 413, 'The body is larger than 512 kB.'],
    ['bytes', { body: new Uint8Array([255]), headers: { 'content-type': 'application/json' } }, 400, 'not UTF-8'],
  ])('refuses %s with a sentence', async (_, request, status, message) => {
    const { path } = await createSource();
    const answer = await service.call('POST', path, { token: null, ...request });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      status,
      expect.stringContaining(message),
      'text/plain; charset=utf-8',
    ]);
    expect(await readDrafts()).toEqual([]);
  });

  test('accepts POST only', async () => {
    const { path } = await createSource();
    expect(await service.get(path)).toMatchObject({ status: 405, text: 'This address accepts POST only.\n' });
    expect(await service.get(`/hooks/${'x'.repeat(43)}`)).toMatchObject({ status: 405 });
  });

  test('shows what was sent as no JSON among the requests, with the reason', async () => {
    const { id, path } = await createSource();
    const multipart = {
      body: '--x\r\n\r\n{}\r\n--x--',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    };
    expect((await service.call('POST', path, { token: null, ...multipart })).status).toBe(400);
    await service.get(`${path}?msg=Down`);
    expect(await readPayloads(id)).toEqual([
      { format: null, body: 'GET ?msg=Down', failure: 'This address accepts POST only.' },
      { format: null, body: multipart.body, failure: 'The body must be JSON, sent as application/json.' },
    ]);
  });

  test.each(['application/x-www-form-urlencoded', 'application/octet-stream', ''])(
    'reads JSON that is sent as "%s"',
    async type => {
      const { path } = await createSource();
      const body = new TextEncoder().encode(JSON.stringify(ownBody()));
      const answer = await service.call('POST', path, {
        token: null,
        body,
        headers: type ? { 'content-type': type } : {},
      });
      expect([answer.status, answer.text]).toEqual([200, 'alerts: 1, drafts: 1\n']);
    },
  );
});

describe('A source with a secret', () => {
  const secret = 'a-secret-of-the-tests';
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const now = () => String(Math.floor(Date.now() / 1000));
  const old = '1700000000';
  const signed = (json: object, headers: (text: string) => Record<string, string>): TestRequest => ({
    json,
    headers: headers(JSON.stringify(json)),
  });
  const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
  const timed = (time: string) => (text: string) => ({
    'X-Grafana-Alerting-Timestamp': time,
    'X-Grafana-Alerting-Signature': sign(`${time}:${text}`),
  });

  test.each<[string, () => TestRequest, number]>([
    [
      'Grafana with its HMAC',
      () => signed(grafanaBody(), text => ({ 'X-Grafana-Alerting-Signature': sign(text) })),
      200,
    ],
    ['Grafana with its time', () => signed(grafanaBody(), timed(now())), 200],
    ['Grafana with an old time', () => signed(grafanaBody(), timed(old)), 401],
    [
      'Grafana with another HMAC',
      () => signed(grafanaBody(), () => ({ 'X-Grafana-Alerting-Signature': sign('x') })),
      401,
    ],
    ['PagerDuty', () => signed(pagerdutyBody(), text => ({ 'X-PagerDuty-Signature': `v1=${sign(text)}` })), 200],
    [
      'PagerDuty with two keys',
      () => signed(pagerdutyBody(), text => ({ 'X-PagerDuty-Signature': `v1=${sign('x')},v1=${sign(text)}` })),
      200,
    ],
    ['PagerDuty without', () => signed(pagerdutyBody(), () => ({})), 401],
    ['Alertmanager with the secret', () => signed(alertmanagerBody(), () => bearer(secret)), 200],
    [
      'Amazon SNS with the secret as password',
      () => signed(cloudwatchBody(), () => ({ Authorization: `Basic ${btoa(`sns:${secret}`)}` })),
      200,
    ],
    [
      'Amazon SNS with another password',
      () => signed(cloudwatchBody(), () => ({ Authorization: `Basic ${btoa(`${secret}:x`)}` })),
      401,
    ],
    ['Amazon SNS, unsigned', () => signed(snsConfirmation(subscribeUrl), () => ({})), 401],
    ['Alertmanager with another', () => signed(alertmanagerBody(), () => bearer('x')), 401],
    [
      'Alertmanager signed as PagerDuty',
      () => signed(alertmanagerBody(), text => ({ 'X-PagerDuty-Signature': `v1=${sign(text)}` })),
      401,
    ],
    ['another shape', () => signed({ hello: 1 }, () => ({})), 422],
  ])('answers %s', async (_, createRequest, status) => {
    const { id, path } = await createSource({ secret });
    const answer = await service.call('POST', path, { token: null, ...createRequest() });
    expect(answer.status).toBe(status);
    if (status === 401)
      expect(answer.text).toMatch(/^The request is not signed by the secret of this source\. [\w ]+ has to/);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer, Basic realm="alerts"');
    const [{ count }] = (await service.database.query(
      'select count(*)::integer as count from alert_payload where source_id = $1',
      [id],
    )) as [{ count: number }];
    expect(count).toBe(status === 200 ? 1 : 0);
    expect((await ask('query ($id: ID!) { alertSource(id: $id) { hasSecret } }', { id })).alertSource.hasSecret).toBe(
      true,
    );
  });
});

describe('After its notice is over', () => {
  const at = (startsAt: string) => {
    const body = alertmanagerBody();
    return { ...body, alerts: body.alerts.map(alert => ({ ...alert, startsAt })) };
  };
  const resolveNotice = (id: string) =>
    ask(
      `mutation ($page: ID!, $id: ID!) { advanceNotice(pageId: $page, id: $id,
         input: { state: RESOLVED, shouldPublish: false }) { userErrors { message } } }`,
      { id },
    );

  test('an alert whose end never came makes a draft when it begins again, and not when it is repeated', async () => {
    const { path } = await createSource();
    expect(await receive(path, at('2026-11-20T09:00:00Z'))).toBe('alerts: 1, drafts: 1');
    const first = await publishDraft((await readDrafts())[0].id);
    // Another alert of the same group joins while the notice is open.
    expect(await receive(path, at('2026-11-20T09:30:00Z'))).toBe('alerts: 1');
    await resolveNotice(first);
    expect(await receive(path, at('2026-11-20T09:30:00Z'))).toBe('alerts: 1');
    expect(await receive(path, at('2026-11-23T03:10:00Z'))).toBe('alerts: 1, drafts: 1');
    expect(await receive(path, at('2026-11-23T03:10:00Z'))).toBe('alerts: 1');
    const [draft] = await readDrafts();
    expect(draft.verb).toBe('OPEN_INCIDENT');
    expect(await readGroups()).toMatchObject([{ state: 'OPEN', noticeId: null, draftId: draft.id, receivedCount: 5 }]);
    const second = await publishDraft(draft.id);
    expect(second).not.toBe(first);
    expect(await receive(path, { ...at('2026-11-23T03:10:00Z'), ...alertmanagerBody(false) })).toBe(
      'alerts: 1, drafts: 1',
    );
  });

  test('an alert without a beginning makes a draft again', async () => {
    const { path } = await createSource();
    await receive(path, ownBody());
    await resolveNotice(await publishDraft((await readDrafts())[0].id));
    expect(await receive(path, ownBody())).toBe('alerts: 1, drafts: 1');
    expect(await receive(path, ownBody())).toBe('alerts: 1');
  });

  test('a draft that was deleted is made again when the alert begins later', async () => {
    const { path } = await createSource();
    await receive(path, at('2026-11-20T09:00:00Z'));
    await ask('mutation ($page: ID!, $id: ID!) { deleteDraft(pageId: $page, id: $id) { deletedId } }', {
      id: (await readDrafts())[0].id,
    });
    expect(await receive(path, at('2026-11-20T09:00:00Z'))).toBe('alerts: 1');
    expect(await receive(path, at('2026-11-23T03:10:00Z'))).toBe('alerts: 1, drafts: 1');
  });

  test('what else fired then and did not end does not keep the resolution away', async () => {
    const { path } = await createSource();
    const two = (startsAt: string) => ({
      ...alertmanagerBody(),
      alerts: [
        { ...alertmanagerBody().alerts[0], startsAt },
        { ...alertmanagerBody(true, { instance: 'shop-2' }).alerts[0], startsAt },
      ],
    });
    await receive(path, two('2026-11-20T09:00:00Z'));
    await resolveNotice(await publishDraft((await readDrafts())[0].id));
    await receive(path, at('2026-11-23T03:10:00Z'));
    await publishDraft((await readDrafts())[0].id);
    expect(await receive(path, alertmanagerBody(false))).toBe('alerts: 1, drafts: 1');
  });

  test('a rule that publishes publishes again', async () => {
    const { createNoticeTemplate } = await ask(
      `mutation ($page: ID!) { createNoticeTemplate(pageId: $page,
         input: { name: "Down", subject: "The shop is down", content: "We are looking into it." }) {
           template: noticeTemplate { id } userErrors { message } } }`,
    );
    const templateId = createNoticeTemplate.template.id;
    const { path } = await createSource({ rules: [{ templateId, action: 'PUBLISH' }] });
    expect(await receive(path, at('2026-11-20T09:00:00Z'))).toBe('alerts: 1, published: 1');
    await resolveNotice((await readNotices())[0].id);
    expect(await receive(path, at('2026-11-23T03:10:00Z'))).toBe('alerts: 1, published: 1');
    expect(await readNotices()).toHaveLength(2);
  });
});

describe('Nothing is made', () => {
  test.each([
    ['Grafana', grafanaTestBody(1), grafanaTestBody(2)],
    [
      'Grafana with chosen labels',
      { ...grafanaBody(), groupKey: 'On-call-0123456789abcdef-1795183323' },
      { ...grafanaBody(), receiver: 'Status', groupKey: 'Status page-fedcba9876543210-1795183324' },
    ],
    [
      'Uptime Kuma',
      { ...uptimeKumaBody(), heartbeat: null, monitor: null },
      { heartbeat: null, monitor: null, msg: 'x' },
    ],
    ['PagerDuty', ...[1, 2].map(id => ({ event: { id, event_type: 'pagey.ping', data: { message: 'Hello' } } }))],
  ])('of a test of %s, which the answer says, and which is among the payloads', async (_, ...bodies) => {
    const { path } = await createSource();
    for (const body of bodies) expect(await receive(path, body)).toBe('A test: nothing was made of it.');
    expect([await readDrafts(), await readGroups()]).toEqual([[], []]);
    const { alertPayloads } = await ask('query ($page: ID!) { alertPayloads(pageId: $page) { nodes { failure } } }');
    expect(alertPayloads.nodes).toEqual([{ failure: null }, { failure: null }]);
  });

  test.each(['Watchdog', 'InfoInhibitor', 'DatasourceNoData', 'DatasourceError'])(
    'of %s, which is about the monitoring itself, unless a rule names it',
    async alertname => {
      const body = { ...grafanaBody(), alerts: [{ ...grafanaBody().alerts[0], labels: { alertname } }] };
      const { path } = await createSource({ rules: [{ action: 'DRAFT' }] });
      expect(await receive(path, body)).toBe('alerts: 1, ignored: 1');
      const naming = await createSource({ rules: [{ label: 'alertname', value: alertname }] });
      expect(await receive(naming.path, body)).toBe('alerts: 1, drafts: 1');
    },
  );
});

describe('The draft of several alerts', () => {
  const readDraft = async () => (await readDrafts())[0];
  const listOf = (hosts: string[]) => hosts.map(host => `- ${host} does not reply`).join('\n');

  test('has a line for each that fires, and follows them until somebody saves it', async () => {
    const { path } = await createSource();
    expect(await receive(path, threeHostsBody())).toBe('alerts: 3, drafts: 1');
    const { id, subject, content, input } = await readDraft();
    expect([subject, content]).toEqual([
      'No connection to 192.0.2.30',
      listOf(['192.0.2.30', '192.0.2.50', '192.0.2.66']),
    ]);
    await receive(path, threeHostsBody(true, ['192.0.2.70']));
    await receive(path, threeHostsBody(false, ['192.0.2.30']));
    expect((await readDraft()).content).toBe(listOf(['192.0.2.50', '192.0.2.66', '192.0.2.70']));
    await ask(
      `mutation ($page: ID!, $id: ID!, $subject: String, $content: String) {
         saveDraft(pageId: $page, id: $id, input: { openIncident: { subject: $subject, content: $content,
           shouldPublish: true } }) {
           userErrors { message } } }`,
      { id, subject: input.openIncident.subject, content: 'We know more.' },
    );
    await receive(path, threeHostsBody(true, ['192.0.2.80']));
    expect((await readDraft()).content).toBe('We know more.');
  });

  test('has the first ten, and says how many there are beside', async () => {
    const { path } = await createSource();
    await receive(
      path,
      threeHostsBody(
        true,
        Array.from({ length: 12 }, (_, index) => `192.0.2.${100 + index}`),
      ),
    );
    const lines = (await readDraft()).content.split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([11, '- 192.0.2.100 does not reply', '- and 2 more']);
  });

  test('is over when the same alerts are resolved, which have no fingerprint', async () => {
    const { path } = await createSource();
    await receive(path, threeHostsBody());
    await publishDraft((await readDraft()).id);
    expect(await receive(path, threeHostsBody(false))).toBe('alerts: 3, drafts: 1');
    expect((await readDraft()).verb).toBe('ADVANCE_NOTICE');
  });
});

test('groups whose keys are equal for 1,000 characters are two', async () => {
  const { path } = await createSource();
  const route = `{}/{severity=~"${'critical|'.repeat(150)}"}`;
  for (const alertname of ['A', 'B'])
    expect(await receive(path, alertmanagerBody(true, { group: `${route}:{alertname="${alertname}"}` }))).toBe(
      'alerts: 1, drafts: 1',
    );
});
