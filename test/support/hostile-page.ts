import { now, operational, type Situation } from './sample-pages.js';

/** A page that has a payload in every text that a client may write, and all of them where there is one text only. */
export function poisoned(payloads: readonly string[]): Situation {
  const { snapshot, circumstances } = operational;
  const all = payloads.join(' ');
  const [component] = snapshot.components;
  const [notice] = snapshot.notices;
  const moment = now.toISOString();
  const texts = {
    name: all,
    metaTitle: all,
    metaDescription: all,
    supportEmail: all,
    supportTelephone: all,
    supportUrl: `https://${all}`,
    vendorAnalyticsId: all,
  };
  const states = ['investigating', 'resolved', 'scheduled', null] as const;
  return {
    circumstances,
    snapshot: {
      ...snapshot,
      page: { ...snapshot.page, ...texts },
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
          ...{
            id: payloads.length - index,
            type: state === null ? 'general' : state === 'scheduled' ? 'planned' : 'unplanned',
            state,
          },
          ...{ subject: payload, synopsis: payload, tags: [payload], componentIds: [index + 1] },
          ...{ path: `poisonpoison${String(index).padStart(4, '0')}`, createdAt: moment, updatedAt: moment },
          ...{
            beginsAt: moment,
            endsAt: moment,
            beganAt: state === 'scheduled' ? null : moment,
            endedAt: state === 'resolved' || !state ? moment : null,
          },
          updates: [payload, payload].map((content, place) => ({
            id: index * 2 + place,
            content,
            createdAt: moment,
            updatedAt: moment,
          })),
        };
      }),
    },
  };
}
