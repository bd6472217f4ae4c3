import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { grafanaBody, pagerdutyBody } from '../../support/alert-payloads.js';
import { createPublishingPage } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();
const secret = 'a-secret-of-the-tests';
const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
const signatures = {
  PAGERDUTY: (text: string): Record<string, string> => ({ 'X-PagerDuty-Signature': `v1=${sign(text)}` }),
  GRAFANA: (text: string): Record<string, string> => ({ 'X-Grafana-Alerting-Signature': sign(text) }),
};

test.each([
  { format: 'PAGERDUTY' as const, createBody: pagerdutyBody },
  { format: 'GRAFANA' as const, createBody: grafanaBody },
])('a signed request of $format that is sent again changes no alert', async ({ format, createBody }) => {
  const page = await createPublishingPage(service, {}, []);
  const { json } = await service.graphql(
    `mutation ($page: ID!, $input: CreateAlertSourceInput!) {
       createAlertSource(pageId: $page, input: $input) { hookUrl userErrors { message } } }`,
    { page: page.id, input: { name: 'Alerts', secret } },
  );
  const path = new URL(json.data.createAlertSource.hookUrl).pathname;
  const receive = async (isFiring: boolean) => {
    const body = createBody(isFiring);
    const headers = signatures[format](JSON.stringify(body));
    const { status, text } = await service.post(path, body, { token: null, headers });
    return [status, text.trim()];
  };
  const readStates = () =>
    service.database.query(
      `select g.state, a.status from alert_group g join alert a on a.group_id = g.id where g.page_id = $1`,
      [page.id],
    );
  expect(await receive(true)).toEqual([200, 'alerts: 1, drafts: 1']);
  expect(await receive(false)).toEqual([200, 'alerts: 1']);
  const ended = [{ state: 'resolved', status: 'resolved' }];
  expect(await readStates()).toEqual(ended);
  expect(await receive(true)).toEqual([200, 'alerts: 1']);
  expect(await readStates()).toEqual(ended);
  // A request that could not be handled is sent again, too.
  await service.database.query(
    `update alert set status = 'firing' where group_id in
    (select id from alert_group where page_id = $1)`,
    [page.id],
  );
  await service.database.query('delete from draft where page_id = $1', [page.id]);
  expect(await receive(true)).toEqual([200, 'alerts: 1, drafts: 1']);
});
