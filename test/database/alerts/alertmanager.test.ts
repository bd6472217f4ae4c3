import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { hasPrometheus, startPrometheus } from '../../support/prometheus.js';
import { useService } from '../../support/service.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const secret = 'a-secret-of-this-source';

describe('Prometheus and its Alertmanager', () => {
  if (!hasPrometheus) {
    test.skip('are not installed', () => {});
    return;
  }
  const service = useService();
  let page: string;
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  beforeAll(async () => {
    page = (await createPage(service)).id;
    const { createAlertSource } = await ask(
      `mutation ($page: ID!, $secret: String) {
         createAlertSource(pageId: $page, input: { name: "Prometheus", secret: $secret }) { hookUrl } }`,
      { secret },
    );
    const { pathname } = new URL(createAlertSource.hookUrl);
    prometheus = await startPrometheus(`${service.url}${pathname}`, secret);
  });
  afterAll(() => prometheus.stop());

  const ask = async (query: string, variables: object = {}) => {
    const { json } = await service.graphql(query, { page, ...variables });
    expect(json.errors).toBeUndefined();
    return json.data;
  };
  const readDrafts = async () =>
    (await ask('query ($page: ID!) { drafts(pageId: $page) { nodes { id verb subject content } } }')).drafts.nodes;
  const readGroups = async () =>
    (await ask('query ($page: ID!) { alertGroups(pageId: $page) { nodes { title state firingCount } } }')).alertGroups
      .nodes;

  test('make a draft of an alert, and the draft of its resolution when it is over', async () => {
    prometheus.setGauge(1);
    await waitUntilEqual(readGroups, [{ title: 'The queue is full', state: 'OPEN', firingCount: 1 }]);
    const [draft] = await readDrafts();
    expect(draft).toMatchObject({ verb: 'OPEN_INCIDENT', subject: 'The queue is full', content: 'New orders wait.' });
    const { publishDraft } = await ask(
      `mutation ($page: ID!, $id: ID!) {
         publishDraft(pageId: $page, id: $id, input: { shouldPublish: false }) { notice { subject } userErrors { message } } }`,
      { id: draft.id },
    );
    expect(publishDraft.notice).toEqual({ subject: 'The queue is full' });
    prometheus.setGauge(0);
    await waitUntilEqual(
      async () => (await readDrafts()).map(({ verb }: { verb: string }) => verb),
      ['ADVANCE_NOTICE'],
    );
  });
});
