import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';
import { fieldTemplates } from '../../../console/src/alerts/field-templates.ts';
import { createPublishingPage } from '../../support/ledger.js';
import {
  azureBody,
  datadogVariables,
  googleCloudBody,
  opsgenieBody,
  sentryIssueBody,
  sentryMetricBody,
} from '../../support/sender-payloads.js';
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

/** The code blocks of the documentation about a sender, by the words after the fence. */
function readBlocks(sender: string, kind: string): string[] {
  const sections = readFileSync('docs/alert-senders.md', 'utf8').split(/^## /m);
  const section = sections.find(each => each.startsWith(`${sender}\n`))!;
  return [...section.matchAll(/^```(.*)\n([^`]+)```$/gm)].flatMap(([, words, code]) => (words === kind ? [code!] : []));
}

function createDatadogBody(isFiring: boolean): object {
  const [payload] = readBlocks('Datadog', 'json payload');
  const variables: Record<string, string> = datadogVariables(isFiring);
  return JSON.parse(payload!, (_, value) => (typeof value === 'string' ? variables[value] : value));
}

/** What the script of the documentation posts. */
function createZabbixBody(isFiring: boolean): object {
  const [script] = readBlocks('Zabbix', 'js');
  const params = {
    url: 'https://status.example.com/hooks/x',
    id: '1234',
    value: isFiring ? '1' : '0',
    title: 'Checkout is slow',
    text: 'More than 2 s.',
    host: 'shop',
    severity: 'High',
  };
  let posted = '';
  class HttpRequest {
    addHeader() {}
    getStatus = () => 200;
    post(_: string, body: string) {
      posted = body;
    }
  }
  const value = JSON.stringify(params);
  expect(runInNewContext(`(function () { ${script} })()`, { value, HttpRequest })).toBe('OK');
  return JSON.parse(posted);
}

const [metricFields, issueFields] = readBlocks('Sentry', 'json');

test.each<[string, string | undefined, (isFiring: boolean) => object]>([
  ['Azure Monitor', readBlocks('Azure Monitor', 'json')[0], azureBody],
  ['Google Cloud Monitoring', readBlocks('Google Cloud Monitoring', 'json')[0], googleCloudBody],
  ['Datadog', readBlocks('Datadog', 'json')[0], createDatadogBody],
  ['Sentry, metric alerts', metricFields, sentryMetricBody],
  ['Sentry, issues', issueFields, sentryIssueBody],
  ['Opsgenie', readBlocks('Opsgenie', 'json')[0], opsgenieBody],
  ['Zabbix', undefined, createZabbixBody],
])('What the documentation says of %s makes a draft, and its end closes the group', async (name, json, createBody) => {
  const fields: object | null = json === undefined ? null : JSON.parse(json);
  // The console offers the same.
  expect(fieldTemplates[name] ?? null).toEqual(fields);
  const { createAlertSource } = await ask(
    `mutation ($page: ID!, $fields: AlertFieldsInput) {
       createAlertSource(pageId: $page, input: { name: "Sender", fields: $fields }) {
         hookUrl alertSource { id } userErrors { path message } } }`,
    { fields },
  );
  expect(createAlertSource.userErrors).toEqual([]);
  const send = async (isFiring: boolean) =>
    (await service.post(new URL(createAlertSource.hookUrl).pathname, createBody(isFiring), { token: null })).text;
  expect(await send(true)).toBe('alerts: 1, drafts: 1\n');
  expect(await send(true)).toBe('alerts: 1\n');
  const read = `query ($page: ID!, $id: ID!) {
    drafts(pageId: $page) { nodes { subject content } }
    alertGroups(pageId: $page) { nodes { state firingCount } }
    tryAlertRules(pageId: $page, id: $id) { alerts { service labels { value } } } }`;
  const open = await ask(read, createAlertSource.alertSource);
  expect(open.drafts.nodes).toEqual([{ subject: 'Checkout is slow', content: 'More than 2 s.' }]);
  expect(open.alertGroups.nodes).toEqual([{ state: 'OPEN', firingCount: 1 }]);
  const [{ service: affected, labels }] = open.tryAlertRules.alerts;
  expect([affected, labels.filter(({ value }: { value: string }) => value === '')]).toEqual(['shop', []]);
  expect(await send(false)).toBe('alerts: 1\n');
  const closed = await ask(read, createAlertSource.alertSource);
  expect(closed.alertGroups.nodes).toEqual([{ state: 'RESOLVED', firingCount: 0 }]);
});
