import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { impacts, worstImpactOf } from '../../../src/notices/impact.rules.js';
import { stateStyles } from '../../../src/pages/branding/state-styles.js';
import { createPage } from '../../support/factories.js';
import { propertyRuns } from '../../support/property-runs.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ publicUrl: 'https://status.example:8443' });

const componentCount = 6;
const index = fc.nat(componentCount - 1);
const named = fc.uniqueArray(index, { maxLength: 3 });
const randomPage = fc.record({
  /** Of each component the index of its parent, which comes before it. */
  parents: fc.tuple(...Array.from({ length: componentCount }, (_, own) => fc.option(fc.nat(Math.max(0, own - 1))))),
  incidents: fc.array(
    fc.record({ named, impact: fc.constantFrom(...impacts), isOpen: fc.boolean(), recovers: fc.boolean() }),
    {
      maxLength: 3,
    },
  ),
  maintenances: fc.array(named, { maxLength: 2 }),
  manual: fc.array(
    fc.tuple(index, fc.constantFrom('operational', 'degraded', 'partial-outage', 'major-outage', 'maintenance')),
    { maxLength: 2 },
  ),
});

/** Writes a page directly: its states are what the rules make of its rows. */
async function writePage({
  parents,
  incidents,
  maintenances,
  manual,
}: typeof randomPage extends fc.Arbitrary<infer Page> ? Page : never) {
  const { id } = await createPage(service);
  const run = async (query: string, variables: object) => {
    const { json } = await service.graphql(query, { page: id, ...variables });
    expect(json.errors).toBeUndefined();
    return json.data;
  };
  const ids: string[] = [];
  for (const [own, parent] of parents.entries()) {
    const parentId = own > 0 && parent !== null ? ids[parent] : null;
    const { made } = await run(
      `mutation($page: ID!, $name: String!, $parentId: ID) {
         made: createComponent(pageId: $page, input: { name: $name, parentId: $parentId }) { component { id } } }`,
      { name: `C${own}`, parentId },
    );
    ids.push(made.component.id);
  }
  const toEnum = (state: string) => state.toUpperCase().replaceAll('-', '_');
  for (const { named, impact, isOpen, recovers } of incidents)
    await run(
      `mutation($page: ID!, $input: OpenIncidentInput!) {
         openIncident(pageId: $page, input: $input) { notice { id } } }`,
      {
        input: {
          subject: 'Broken',
          state: isOpen ? 'IDENTIFIED' : 'RESOLVED',
          affectedComponents: named.map((each, place) => ({
            componentId: ids[each],
            impact: toEnum(impact),
            hasRecovered: recovers && place === 0,
          })),
          shouldPublish: false,
        },
      },
    );
  for (const each of maintenances)
    await service.post(`/v1/pages/${id}/notices`, {
      type: 'planned',
      state: 'underway',
      subject: 'Move',
      component_ids: each.map(one => ids[one]),
      begins_at: '2026-01-01T00:00:00Z',
      ends_at: '2099-01-01T00:00:00Z',
    });
  for (const [each, state] of manual)
    await run(
      `mutation($page: ID!, $id: ID!, $status: ComponentStatus!) {
         setComponentStatus(pageId: $page, id: $id, input: { status: $status }) { component { id } } }`,
      { id: ids[each], status: toEnum(state) },
    );
  return id;
}

const toName = (state: string) =>
  state === 'PARTLY_AFFECTED' ? 'partially-degraded' : state.toLowerCase().replaceAll('_', '-');

test('the API has the states that the public page shows, of random pages', async () => {
  await fc.assert(
    fc.asyncProperty(randomPage, async content => {
      const id = await writePage(content);
      const { json } = await service.graphql(
        `query($page: ID!) { page(id: $page) { banner { status text } components { nodes { id status } }
           notices(first: 100) { nodes { worstImpact affectedComponents { impact component { id } } type } } } }`,
        { page: id },
      );
      const { banner, components, notices } = json.data.page;
      const response = await service.call('GET', `/status/${id}/`, { token: null });
      const html = response.text;
      const shown = [...html.matchAll(/<li id="c(\d+)">.*?<span class="state ([\w-]+)">/gs)];
      expect(
        Object.fromEntries(components.nodes.map((each: Record<string, string>) => [each.id, toName(each.status!)])),
      ).toEqual(Object.fromEntries(shown.map(([, component, state]) => [component, state])));
      const [, icon, sentence] = /<div class="banner".*?#i-(\w+)".*?<strong>(.*?)<\/strong>/s.exec(html)!;
      expect([banner.text, stateStyles[toName(banner.status) as keyof typeof stateStyles].icon]).toEqual([
        sentence!.replaceAll(/<[^>]*>/g, ''),
        icon,
      ]);
      for (const { type, worstImpact, affectedComponents } of notices.nodes) {
        const named = affectedComponents as { impact: string; component: { id: string } }[];
        const byId = Object.fromEntries(named.map(each => [each.component.id, toName(each.impact)])) as never;
        const expected = worstImpactOf({ componentIds: named.map(each => Number(each.component.id)), impacts: byId });
        expect(worstImpact && toName(worstImpact)).toBe(type === 'UNPLANNED' ? expected : null);
      }
    }),
    propertyRuns(40),
  );
});
