import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { applyPageFile } from '../../../../src/cli/apply.js';
import { applyPlan } from '../../../../src/transfer/page-file/apply-plan.js';
import { createGraphqlClient } from '../../../../src/transfer/page-file/graphql-client.js';
import { loadPage } from '../../../../src/transfer/page-file/load-page.js';
import { derivePageFileFields } from '../../../../src/transfer/page-file/page-file.fields.js';
import { plan } from '../../../../src/transfer/page-file/plan.js';
import { readPageFile } from '../../../../src/transfer/page-file/read-page-file.js';
import { renderPageFile } from '../../../../src/transfer/page-file/render-page-file.js';
import { schema } from '../../../../src/schema.js';
import { manyProcessesMs, runScript } from '../../../support/process.js';
import { useOwnService } from '../../../support/service.js';

/** A page as code against a real service: what the commands print, and what is on the page afterwards. */
const service = useOwnService();
const fields = derivePageFileFields(schema);
const slack = { SLACK_URL: 'https://hooks.slack.com/services/T0/B0/secret-of-the-hook' };

type Options = Parameters<typeof applyPageFile>[2];
const apply = async (text: string, options: Options = {}, environment: Record<string, string> = slack) => {
  let printed = '';
  const print = (output: string) => {
    printed += output;
  };
  const refuse = async () => {
    throw new Error('Nothing is changed.');
  };
  const send = createGraphqlClient(service.url, service.tokens.write);
  const code = await applyPageFile({ send, environment, print, confirm: refuse }, text, options);
  expect(printed).not.toContain('secret-of-the-hook');
  return [code, printed];
};
const show = async (id: string, format: 'yaml' | 'json' = 'yaml') =>
  renderPageFile(await loadPage(createGraphqlClient(service.url, service.tokens.write), id, fields), fields, format);

const example = readFileSync('examples/page.yaml', 'utf8');
const noChanges = 'No changes. The page is as the file says.\n';
const find = async () => {
  const { json } = await service.graphql(
    `{ pages { nodes { id version timezone shouldSendNotificationsBySlack components(first: 100) {
      nodes { id name parentId position version } } noticeTemplates { nodes { name componentIds } } } } }`,
  );
  return json.data.pages.nodes[0];
};

test('the example is applied, once, and shown as a file that applies without a change', async () => {
  const [code, planned] = await apply(example, { dryRun: true });
  expect([code, await find()]).toEqual([2, undefined]);
  expect(planned).toContain('+ page Meridian Freight\n');
  expect(planned).toContain('+ component Booking / Card payments\n');
  expect(planned).toMatch(/13 to create, 1 to change, 0 to delete\.\n$/);
  await expect(apply(example)).rejects.toThrow('Nothing is changed.');
  expect(await find()).toBe(undefined);

  const [, applied] = await apply(example, { yes: true });
  const page = await find();
  expect(applied).toBe(`${planned}The page ${page.id} is created.\n`);
  expect(page).toMatchObject({ timezone: 'Europe/London', shouldSendNotificationsBySlack: true });
  const ids = Object.fromEntries(
    page.components.nodes.map((node: { name: string; id: string }) => [node.name, node.id]),
  );
  expect(page.noticeTemplates.nodes[1]).toEqual({
    name: 'Monthly maintenance',
    componentIds: [ids.Europe, ids['North America']],
  });
  // Without the secret, which is on the page already.
  expect(await apply(example, { dryRun: true }, {})).toEqual([0, noChanges]);
  for (const format of ['yaml', 'json'] as const)
    expect(await apply(await show(page.id, format), { yes: true, prune: true, json: true }, {})).toEqual([0, '[]\n']);
  expect(await find()).toEqual(page);
});

test('an edited file changes what it says, and deletes with --prune alone', async () => {
  const before = await find();
  const edited = (await show(before.id))
    // The id says that it is the same component.
    .replace('name: Website', 'name: Web')
    // A component moves out of its parent, which is not in the file any more.
    .replace(
      / {2}- id: \d+\n {4}name: Booking\n[\s\S]*?( {2}- id: \d+\n {4}name: Tracking\n)/,
      '  - name: Card payments\n$1',
    )
    .replace(/ {2}- id: \w+\n {4}name: Monthly[\s\S]*/, 'metrics: []\nchannels: {}\n');
  const [, kept] = await apply(edited, { yes: true });
  expect(kept).toBe(
    '~ component Web\n    name: "Website" → "Web"\n' +
      '~ component Card payments\n    parent: "Booking" → null\n' +
      '0 to create, 2 to change, 0 to delete.\n' +
      'Not in the file, and left as they are: 1 template, 2 metrics, 2 components and 1 channel. --prune deletes them.\n' +
      'The changes are made.\n',
  );
  const [, pruned] = await apply(edited, { yes: true, prune: true });
  expect(pruned).toBe(
    '- template Monthly maintenance\n- metric Response time of bookings\n- metric Open bookings\n' +
      '- component Booking / Quotes\n- component Booking\n- channel SLACK\n' +
      '0 to create, 0 to change, 6 to delete.\nThe changes are made.\n',
  );
  const after = await find();
  const idOf = (page: typeof before, name: string) =>
    page.components.nodes.find((node: { name: string }) => node.name === name)?.id;
  expect(idOf(after, 'Web')).toBe(idOf(before, 'Website'));
  expect(idOf(after, 'Card payments')).toBe(idOf(before, 'Card payments'));
  expect(after.components.nodes).toHaveLength(5);
  expect(await apply(edited, { dryRun: true, prune: true })).toEqual([0, noChanges]);
});

test('what the service refuses is reported with the line of the file, and what was made before', async () => {
  const { id } = await find();
  const misspelt = apply(`page:\n  id: ${id}\n  locale: de\n  timezone: Londno\n`, { yes: true });
  await expect(misspelt).rejects.toMatchObject({
    problems: [{ line: 4, text: expect.stringMatching(/^page Meridian Freight: `timezone` must be one of .*London/) }],
  });
  const name = 'x'.repeat(256);
  const long = apply(`page: { id: ${id}, locale: de }\ncomponents:\n- name: Web\n- name: ${name}\n`, { yes: true });
  await expect(long).rejects.toMatchObject({
    problems: [
      {
        line: 4,
        text: expect.stringMatching(/^component x+: `name` .* 1 of 2 changes are made; apply the file again/),
      },
    ],
  });
});

test('metrics are created, changed, cleared of their units and replaced, and what is wrong with one is refused', async () => {
  const { id } = await find();
  const file = (...metrics: string[]) =>
    `page: { id: ${id} }\nmetrics:\n${metrics.map(one => `- { ${one} }\n`).join('')}`;
  const list = async () => {
    const { json } = await service.graphql(
      `{ metrics(pageId: "${id}", first: 100) { nodes { id name unit color decimalPlaces } } }`,
    );
    return json.data.metrics.nodes;
  };
  const latency = (unit: string) => `name: Latency, unit: ${unit}, color: "#AABBCC", decimalPlaces: 2`;
  for (const [unit, stored] of [
    ['ms', 'ms'],
    ['null', null],
  ] as const) {
    const text = file(latency(unit));
    await apply(text, { yes: true });
    expect(await list()).toMatchObject([{ name: 'Latency', unit: stored, color: '#AABBCC', decimalPlaces: 2 }]);
    for (const same of [text, await show(id)])
      expect(await apply(same, { dryRun: true, prune: true }, {})).toEqual([0, noChanges]);
  }
  const [{ id: metricId }] = await list();
  const full = Array.from({ length: 20 }, (_, index) => `name: Metric ${index}`);
  await apply(file(...full), { yes: true, prune: true });
  expect(await list()).toHaveLength(20);
  expect((await list()).map((one: { id: string }) => one.id)).not.toContain(metricId);
  // All are replaced, and the page never has more than 20.
  await apply(file(...full.map(one => `${one} b`)), { yes: true, prune: true });
  expect((await list())[19]).toMatchObject({ name: 'Metric 19 b' });
  for (const [entry, text] of [
    ['name: One more', /^metric One more: .*a page has at most 20 metrics/],
    ['name: Metric 3 b, color: red', /^metric Metric 3 b: `color` must be a colour such as #3b82f6/],
    ['name: Metric 3 b, decimalPlaces: 6', /^metric Metric 3 b: `decimalPlaces` must be from 0 to 5/],
  ] as const)
    await expect(apply(file(entry), { yes: true })).rejects.toMatchObject({
      problems: [{ line: 3, text: expect.stringMatching(text) }],
    });
});

test(
  'the commands print for people and end with the exit codes of Terraform',
  async () => {
    const { id } = await find();
    const client = { ALL_CLEAR_URL: service.url, ALL_CLEAR_TOKEN: service.tokens.write };
    const dryRun = await runScript(['dist/cli.js', 'apply', 'examples/page.yaml', '--dry-run', '--json'], {
      ...client,
      ...slack,
    });
    expect([dryRun.code, JSON.parse(dryRun.printed)[0]]).toEqual([
      2,
      {
        action: 'create',
        kind: 'channel',
        id: null,
        name: 'SLACK',
        changes: [{ field: 'host', after: 'hooks.slack.com' }],
      },
    ]);
    const unconfirmed = await runScript(['dist/cli.js', 'apply', 'examples/page.yaml'], { ...client, ...slack });
    expect([unconfirmed.code, unconfirmed.output]).toEqual([
      1,
      expect.stringMatching(/Nothing is changed\. --yes .*\n$/),
    ]);
    const shown = await runScript(['dist/cli.js', 'show', '--page', id], { ...client, ALL_CLEAR_TOKEN: 'wrong' });
    expect([shown.code, shown.output]).toEqual([1, expect.stringMatching(/^The token is unknown/)]);
  },
  manyProcessesMs,
);

test('a record that somebody has changed meanwhile is not overwritten', async () => {
  const { id } = await find();
  const send = createGraphqlClient(service.url, service.tokens.write);
  const current = await loadPage(send, id, fields);
  await service.graphql(`mutation { updatePage(id: "${id}", input: { metaTitle: "Theirs" }) { page { id } } }`);
  const file = readPageFile(`page: { id: ${id}, metaTitle: Ours }`, fields, {});
  const { steps } = plan(current, file, { prune: false, rewritesCredentials: false });
  await expect(applyPlan(send, steps, id)).rejects.toThrow('Somebody has changed the page Meridian Freight since');
});

test('a service that cannot be reached, or that is none, is an error', async () => {
  const ask = (url: string) => createGraphqlClient(url, 'token')('{ result: hello }', {});
  await expect(ask('http://127.0.0.1:1')).rejects.toThrow(/^http:\/\/127\.0\.0\.1:1 cannot be reached: /);
  await expect(ask(`${service.url}/v1`)).rejects.toThrow(/\/v1\/graphql is not a GraphQL API: /);
});
