import { beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { sentencesByField } from '../../support/user-errors.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const service = useService();
let page: { id: string; path: string };
let ids: string[];

beforeEach(async () => {
  const created = await createPage(service);
  page = { id: created.id, path: created.path };
  ids = [];
  for (const name of ['Shop', 'Mail', 'Search'])
    ids.push(String((await createComponent(service, page.path, { name })).id));
});

const noticeFields = 'notice { id version componentIds affectedComponents { component { name state } impact } }';

async function send(mutation: string, type: string, input: object, id?: string) {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $id: ID!, $input: ${type}!) {
      result: ${mutation}(pageId: $page, ${id ? 'id: $id, ' : ''}input: $input) { ${noticeFields} }
    }`.replace(id ? '' : ', $id: ID!', ''),
    { page: page.id, ...(id && { id }), input: { shouldPublish: false, ...input } },
  );
  return json.errors ? { fields: sentencesByField(json) } : json.data.result.notice;
}
const open = (input: object) => send('openIncident', 'OpenIncidentInput', { subject: 'Down', ...input });
const update = (id: string, input: object) => send('updateNotice', 'UpdateNoticeInput', input, id);
const listImpacts = (notice: { affectedComponents: { component: { name: string }; impact: string }[] }) =>
  notice.affectedComponents.map(({ component, impact }) => [component.name, impact]);
const affected = (...impacts: (string | null)[]) =>
  impacts.flatMap((impact, index) => (impact ? [{ componentId: ids[index], impact }] : []));

describe('the impact of an incident on a component', () => {
  test('is chosen when the incident names it, and DEGRADED otherwise', async () => {
    const chosen = await open({ affectedComponents: affected('MAJOR_OUTAGE', 'DEGRADED', 'PARTIAL_OUTAGE') });
    expect(listImpacts(chosen)).toEqual([
      ['Shop', 'MAJOR_OUTAGE'],
      ['Mail', 'DEGRADED'],
      ['Search', 'PARTIAL_OUTAGE'],
    ]);
    expect(chosen.componentIds).toEqual(ids);
    const plain = await open({ componentIds: [ids[0]] });
    expect(listImpacts(plain)).toEqual([['Shop', 'DEGRADED']]);
  });

  test('leaves the states of /v1 as they are', async () => {
    const { affectedComponents } = await open({ affectedComponents: affected('MAJOR_OUTAGE') });
    expect(affectedComponents[0].component.state).toBe('DEGRADED');
    const { json } = await service.get(`${page.path}/components/${ids[0]}`);
    expect(json.response.state).toBe('degraded');
  });

  test('is changed as a new version of the notice, and kept by changes that do not name it', async () => {
    const { id } = await open({ affectedComponents: affected('MAJOR_OUTAGE', 'PARTIAL_OUTAGE') });
    const changed = await update(id, { affectedComponents: affected('DEGRADED', 'PARTIAL_OUTAGE') });
    expect([changed.version, listImpacts(changed)]).toEqual([
      2,
      [
        ['Shop', 'DEGRADED'],
        ['Mail', 'PARTIAL_OUTAGE'],
      ],
    ]);
    expect((await update(id, { affectedComponents: affected('DEGRADED', 'PARTIAL_OUTAGE') })).version).toBe(2);
    expect(listImpacts(await update(id, { subject: 'Still down' }))).toEqual(listImpacts(changed));
    const swapped = await update(id, { componentIds: [ids[1], ids[2]] });
    expect(listImpacts(swapped)).toEqual([
      ['Mail', 'PARTIAL_OUTAGE'],
      ['Search', 'DEGRADED'],
    ]);
    expect(listImpacts(await update(id, { affectedComponents: null }))).toEqual([]);
  });

  test('is shown on the page, in its history and in its JSON', async () => {
    await open({ affectedComponents: affected('MAJOR_OUTAGE', 'DEGRADED') });
    const visit = (path: string) => requestPage(service.url, `${page.id}.localhost`, path);
    const { text } = await waitForResponse(
      () => visit('/'),
      response => response.text.includes('Major outage: '),
    );
    expect(text).toContain('data-state="major-outage"');
    expect(text).toMatch(/aria-label="Last 90 days: Major outage: 1 day/);
    const { components, status } = JSON.parse((await visit('/api/v2/summary.json')).text);
    expect(status.indicator).toBe('critical');
    expect(components.map((one: { status: string }) => one.status)).toEqual([
      'major_outage',
      'degraded_performance',
      'operational',
    ]);
    expect((await visit('/history')).text).toContain('aria-label="November 2026: Major outage: 1 day');
  });

  test('is shown by a preview', async () => {
    const { id } = await open({ affectedComponents: affected('PARTIAL_OUTAGE', 'MAJOR_OUTAGE') });
    const { json } = await service.graphql(
      `query ($page: ID!, $id: ID!, $input: PreviewPublicationInput!) {
        previewPublication(pageId: $page, noticeId: $id, input: $input) { messages { page } }
      }`,
      { page: page.id, id, input: { updateNotice: { componentIds: [ids[0]], shouldPublish: true } } },
    );
    expect(json.data.previewPublication.messages.page).toContain('Partial outage: ');
  });

  test.each([
    [{ componentIds: [] }, { affectedComponents: '`affectedComponents` cannot be given with `componentIds`.' }],
    [
      { affectedComponents: [{ componentId: '999999', impact: 'DEGRADED' }] },
      {
        componentId: '`affectedComponents.0.componentId` must be the id of a component of the page, not "999999".',
      },
    ],
  ])('is refused: %j', async (input, fields) => {
    expect(await open({ affectedComponents: affected('MAJOR_OUTAGE'), ...input })).toEqual({ fields });
  });

  test('is refused on a maintenance', async () => {
    const planned = await send('scheduleMaintenance', 'ScheduleMaintenanceInput', {
      subject: 'New disks',
      beginsAt: '2099-01-01T00:00:00Z',
      endsAt: '2099-01-01T01:00:00Z',
      componentIds: [ids[0]],
    });
    expect(listImpacts(planned)).toEqual([['Shop', 'DEGRADED']]);
    expect(await update(planned.id, { affectedComponents: affected('MAJOR_OUTAGE') })).toEqual({
      fields: { affectedComponents: '`affectedComponents` is for incidents only: use `componentIds`.' },
    });
  });
});
