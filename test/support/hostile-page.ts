import { now, operational, type SamplePage } from './sample-pages.js';

/** A page with a payload in every text that an API client can set; a single text, such as the name, has all of them. */
export function createHostilePage(payloads: readonly string[]): SamplePage {
  const { snapshot, viewOptions } = operational;
  const allPayloads = payloads.join(' ');
  const [component] = snapshot.components;
  const [notice] = snapshot.notices;
  const moment = now.toISOString();
  const pageTexts = {
    name: allPayloads,
    metaTitle: allPayloads,
    metaDescription: allPayloads,
    supportEmail: allPayloads,
    supportTelephone: allPayloads,
    supportUrl: `https://${allPayloads}`,
    vendorAnalyticsId: allPayloads,
  };
  const states = ['investigating', 'resolved', 'scheduled', null] as const;
  return {
    viewOptions,
    snapshot: {
      ...snapshot,
      page: { ...snapshot.page, ...pageTexts },
      components: payloads.map((payload, index) => ({
        ...component!,
        id: index + 1,
        parentId: index || null,
        name: payload,
        description: payload,
      })),
      notices: payloads.map((payload, index) => {
        const state = states[index % states.length]!;
        return {
          ...notice!,
          id: payloads.length - index,
          type: state === null ? 'general' : state === 'scheduled' ? 'planned' : 'unplanned',
          state,
          subject: payload,
          synopsis: payload,
          tags: [payload],
          componentIds: [index + 1],
          path: `poisonpoison${String(index).padStart(4, '0')}`,
          createdAt: moment,
          updatedAt: moment,
          beginsAt: moment,
          endsAt: moment,
          beganAt: state === 'scheduled' ? null : moment,
          endedAt: state === 'resolved' || !state ? moment : null,
          updates: [payload, payload].map((content, updateIndex) => ({
            id: index * 2 + updateIndex,
            content,
            createdAt: moment,
            updatedAt: moment,
          })),
        };
      }),
    },
  };
}
