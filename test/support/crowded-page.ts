import type { DemoComponent, DemoNotice } from '../../src/notices/demo/demo-data.js';

/** A realistic large page: 50 components in 9 groups and 10 notices within 90 days, with texts of usual length. */
const groups: Record<string, string[]> = {
  Storefront: ['Search', 'Product pages', 'Cart', 'Checkout', 'Reviews'],
  Payments: ['Cards', 'Bank transfer', 'Wallets', 'Refunds'],
  Accounts: ['Sign-in', 'Sign-up', 'Passkeys', 'Profile'],
  'Public API': ['Orders', 'Catalogue', 'Webhooks', 'Rate limits', 'Sandbox'],
  Messaging: ['E-mail', 'Text messages', 'Push', 'In-app inbox'],
  Warehouse: ['Stock levels', 'Picking', 'Labels', 'Returns'],
  Analytics: ['Dashboards', 'Exports', 'Realtime', 'Forecasts'],
  Europe: ['Frankfurt', 'Dublin', 'Stockholm', 'Milan', 'Paris'],
  'Rest of the world': ['Virginia', 'Oregon', 'São Paulo', 'Singapore', 'Tokyo', 'Sydney'],
};

export const crowdedComponents: DemoComponent[] = Object.entries(groups).map(([name, parts]) => ({
  name,
  parts: parts.map((part, index) => ({
    name: part,
    description: index % 3 ? undefined : `What customers use for ${part.toLowerCase()}`,
  })),
}));

const incidents: [subject: string, component: string, daysAgo: number, minutes: number, cause: string][] = [
  [
    'Checkout was slow in the evening',
    'Checkout',
    3,
    75,
    'A queue between the cart and the price service had too few workers for the evening.',
  ],
  ['Labels could not be printed', 'Labels', 5, 40, 'The carrier changed the form of its addresses; we have followed.'],
  [
    'Errors at sign-in with passkeys',
    'Passkeys',
    6,
    22,
    'A certificate of one of three servers had expired. Its renewal is watched now.',
  ],
  [
    'Dashboards showed yesterday',
    'Dashboards',
    19,
    310,
    'A job that had failed in the night was not started again. No figures are lost.',
  ],
  [
    'Push messages late in South America',
    'São Paulo',
    33,
    95,
    'A line of our provider was cut by building work; traffic went a longer way.',
  ],
  [
    'Wallet payments refused',
    'Wallets',
    51,
    18,
    'A rule against fraud was too strict after a release. It was taken back.',
  ],
  [
    'Exports without the last hour',
    'Exports',
    77,
    130,
    'Exports read from a copy that lagged behind. They wait for it now.',
  ],
];

export function crowdedNotices(now: number): DemoNotice[] {
  const minutesBefore = (minutes: number) => new Date(now - minutes * 60_000);
  const past = incidents.toReversed().map(([subject, component, daysAgo, minutes, cause]): DemoNotice => {
    const began = daysAgo * 1440;
    return {
      type: 'unplanned',
      subject,
      state: 'resolved',
      components: [component],
      beganAt: minutesBefore(began),
      endedAt: minutesBefore(began - minutes),
      minutesAgo: began,
      updates: [
        { text: `We have seen errors in **${component}** and are looking for the cause.`, minutesAgo: began },
        { text: 'The cause is known. A correction is on its way to all regions.', minutesAgo: began - minutes / 2 },
        { text: `${cause} We watch it for the rest of the day.`, minutesAgo: began - minutes },
      ],
    };
  });
  return [
    ...past,
    {
      type: 'planned',
      subject: 'Database of orders: new version',
      components: ['Orders', 'Webhooks'],
      minutesAgo: 2000,
      beginsAt: minutesBefore(-4 * 1440),
      endsAt: minutesBefore(-4 * 1440 - 45),
      updates: [
        {
          text: 'Orders can be read during the work, but not placed. Webhooks wait and are sent afterwards.',
          minutesAgo: 2000,
        },
      ],
    },
    {
      type: 'general',
      subject: 'Subscriptions for regular orders',
      minutesAgo: 3000,
      updates: [
        {
          text:
            'Orders that repeat by themselves are being tried with a few shops. ' +
            '[Write to us](mailto:beta@shop.example) to take part.',
          minutesAgo: 3000,
        },
      ],
    },
    {
      type: 'unplanned',
      subject: 'Slow answers from Frankfurt',
      state: 'recovering',
      components: ['Frankfurt'],
      beganAt: minutesBefore(64),
      minutesAgo: 64,
      updates: [
        { text: 'Requests to **Frankfurt** take up to three seconds. Other regions are not affected.', minutesAgo: 64 },
        {
          text:
            'One of the switches loses packets. We have moved half of the traffic to Dublin:\n\n' +
            '* new sessions go there\n* old ones follow within the hour',
          minutesAgo: 41,
        },
        { text: 'The switch has been replaced. Times are back to normal for most; we keep watching.', minutesAgo: 12 },
      ],
    },
  ];
}
