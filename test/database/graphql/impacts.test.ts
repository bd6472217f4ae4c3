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

const noticeFields =
  'notice { id version componentIds affectedComponents { component { name state } impact recoveredAt } }';

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

  test('ends for a component that is operational again, while the incident goes on naming it', async () => {
    const [shop, mail] = affected('MAJOR_OUTAGE', 'DEGRADED');
    type Named = { component: { state: string }; impact: string; recoveredAt: string | null };
    const read = async (change: Promise<{ affectedComponents: Named[] }>) =>
      (await change).affectedComponents.map(({ component, impact, recoveredAt }) => [
        component.state,
        impact,
        recoveredAt !== null,
      ]);
    const { id } = await open({ affectedComponents: affected('MAJOR_OUTAGE', 'DEGRADED') });
    expect(await read(update(id, { affectedComponents: [{ ...shop, hasRecovered: true }, mail] }))).toEqual([
      ['OPERATIONAL', 'MAJOR_OUTAGE', true],
      ['DEGRADED', 'DEGRADED', false],
    ]);
    const visit = (path: string) => requestPage(service.url, `${page.id}.localhost`, path);
    const { text } = await waitForResponse(
      () => visit('/'),
      response => response.text.includes('Degraded: '),
    );
    expect(text).toContain('Shop</bdi> · Operational');
    const { components, incidents } = JSON.parse((await visit('/api/v2/summary.json')).text);
    expect(components.map((one: { status: string }) => one.status)).toEqual([
      'operational',
      'degraded_performance',
      'operational',
    ]);
    expect(incidents[0].components.map((one: { name: string }) => one.name)).toEqual(['Shop', 'Mail']);
    // What a change does not say stays; a component can fail again.
    expect((await read(update(id, { affectedComponents: [shop, mail] })))[0]).toEqual([
      'OPERATIONAL',
      'MAJOR_OUTAGE',
      true,
    ]);
    expect((await read(update(id, { state: 'RESOLVED' })))[0]).toEqual(['OPERATIONAL', 'MAJOR_OUTAGE', true]);
    await waitForResponse(
      () => visit('/history'),
      response => response.text.includes('Resolved'),
    );
    const [, path = ''] = /href="(\/notices\/[^"]+)"/.exec((await visit('/history')).text) ?? [];
    expect((await visit(path)).text).toContain('Shop</bdi> · Major outage');
    expect(await read(update(id, { state: 'IDENTIFIED' }))).toEqual([
      ['OPERATIONAL', 'MAJOR_OUTAGE', true],
      ['DEGRADED', 'DEGRADED', false],
    ]);
    const relapsed = update(id, { affectedComponents: [{ ...shop, hasRecovered: false }, mail] });
    expect((await read(relapsed))[0]).toEqual(['DEGRADED', 'MAJOR_OUTAGE', false]);
  });

  test('is none for a component that is operational from the start', async () => {
    const [shop] = affected('MAJOR_OUTAGE');
    const { affectedComponents } = await open({ affectedComponents: [{ ...shop, hasRecovered: true }] });
    expect(affectedComponents[0].component.state).toBe('OPERATIONAL');
    const { json } = await service.graphql(
      `query ($page: ID!, $id: ID!) { component(pageId: $page, id: $id) { history(days: 1) { status } } }`,
      { page: page.id, id: ids[0] },
    );
    expect(json.data.component.history[0].status).toBe('OPERATIONAL');
  });

  test('is shown by a preview', async () => {
    const { id } = await open({ affectedComponents: affected('PARTIAL_OUTAGE', 'MAJOR_OUTAGE') });
    const { json } = await service.graphql(
      `query ($page: ID!, $id: ID!, $input: NoticeChangeInput!) {
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
