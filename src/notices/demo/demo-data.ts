import type { NoticeState, NoticeType } from '../notice.states.js';

/** The content of the demonstration page: a fictional company on an ordinary day. */
export interface DemoComponent {
  name: string;
  description?: string;
  parts?: DemoComponent[];
}

export const demoPage = {
  name: 'Meridian Freight',
  timezone: 'Berlin',
  supportEmail: 'support@meridian.example',
  supportUrl: 'https://help.meridian.example',
  metaTitle: 'Meridian Freight status',
  metaDescription: 'How the services of Meridian Freight are doing.',
};

/** With the contrasts that WCAG 2 asks for, which the default colours have not. */
export const demoColours = {
  colorBodyLinks: '#2573a7',
  colorHeaderLinks: '#2573a7',
  colorNavbarButtonBackground: '#2573a7',
  colorStateOk: '#24a35a',
  colorStateWarning: '#d97520',
};

export const demoComponents: DemoComponent[] = [
  { name: 'Website', description: 'meridian.example and its help pages' },
  {
    name: 'API',
    description: 'What your systems talk to',
    parts: [{ name: 'Rates and quotes' }, { name: 'Bookings' }, { name: 'Webhooks', description: 'Our calls to you' }],
  },
  {
    name: 'Tracking',
    parts: [
      { name: 'Live positions', parts: [{ name: 'Road' }, { name: 'Rail' }, { name: 'Sea' }] },
      { name: 'Notifications to consignees' },
    ],
  },
  { name: 'Billing', parts: [{ name: 'Card payments' }, { name: 'Invoices' }] },
];

export interface DemoNotice {
  type: NoticeType;
  subject: string;
  state?: NoticeState;
  components?: string[];
  tagList?: string[];
  shouldPublish?: boolean;
  beginsAt?: Date;
  endsAt?: Date;
  beganAt?: Date;
  endedAt?: Date;
  minutesAgo: number;
  updates: { text: string; minutesAgo: number }[];
}

const hours = 60;
const days = 24 * hours;

/** Oldest first, as they happened. */
export function demoNotices(now: number): DemoNotice[] {
  const ago = (minutes: number) => new Date(now - minutes * 60_000);
  return [
    {
      type: 'unplanned',
      subject: 'Positions of trains stood still',
      state: 'resolved',
      components: ['Rail'],
      beganAt: ago(23 * days),
      endedAt: ago(23 * days - 95),
      minutesAgo: 23 * days,
      updates: [
        {
          text: 'Positions of trains in **central Europe** are not moving. We are asking the provider of the feed.',
          minutesAgo: 23 * days,
        },
        {
          text: 'The provider has repaired its feed. Positions are live again, and what was missed has been filled in.',
          minutesAgo: 23 * days - 95,
        },
      ],
    },
    {
      type: 'planned',
      subject: 'Invoices move to a new database',
      state: 'complete',
      components: ['Invoices'],
      beginsAt: ago(6 * days),
      endsAt: ago(6 * days - 120),
      beganAt: ago(6 * days),
      endedAt: ago(6 * days - 80),
      minutesAgo: 12 * days,
      updates: [
        { text: 'Invoices cannot be opened during the move. Payments are not affected.', minutesAgo: 12 * days },
        { text: 'Done, forty minutes early.', minutesAgo: 6 * days - 80 },
      ],
    },
    {
      type: 'unplanned',
      subject: 'Failed webhooks in monitoring',
      state: 'false_alarm',
      components: ['Webhooks'],
      beganAt: ago(4 * days),
      endedAt: ago(4 * days - 20),
      minutesAgo: 4 * days,
      updates: [
        { text: 'Our monitoring reports failed webhooks. We are looking.', minutesAgo: 4 * days },
        { text: 'The monitor itself had failed: every call was delivered.', minutesAgo: 4 * days - 20 },
      ],
    },
    {
      type: 'unplanned',
      subject: 'Quotes were slow',
      state: 'resolved',
      components: ['Rates and quotes'],
      tagList: ['latency'],
      beganAt: ago(30 * hours),
      endedAt: ago(28 * hours),
      minutesAgo: 30 * hours,
      updates: [
        { text: 'Quotes take up to ten seconds. Bookings work as usual.', minutesAgo: 30 * hours },
        {
          text: 'A cache was too small after the last release. We have made it larger; quotes are fast again.',
          minutesAgo: 28 * hours,
        },
      ],
    },
    {
      type: 'general',
      subject: 'Parcel lockers in the Nordics',
      tagList: ['preview'],
      minutesAgo: 20 * hours,
      updates: [
        {
          text: 'We are working on tracking for parcel lockers. Ask your contact for early access.',
          minutesAgo: 20 * hours,
        },
      ],
    },
    {
      type: 'planned',
      subject: 'Sea positions: change of provider',
      components: ['Sea'],
      beginsAt: new Date(now + 3 * days * 60_000),
      endsAt: new Date(now + (3 * days + 90) * 60_000),
      minutesAgo: 3 * hours,
      updates: [
        {
          text: 'For up to ninety minutes positions of vessels will not move. They are filled in afterwards.',
          minutesAgo: 3 * hours,
        },
      ],
    },
    {
      type: 'unplanned',
      subject: 'Some card payments are declined',
      state: 'identified',
      components: ['Card payments'],
      beganAt: ago(47),
      minutesAgo: 47,
      updates: [
        {
          text: 'About one card payment in five is declined. We are investigating with the processor.',
          minutesAgo: 47,
        },
        {
          text:
            'The processor has found the cause: one of its two sites refuses new connections. Payments that failed ' +
            'can simply be tried again.',
          minutesAgo: 18,
        },
      ],
    },
  ];
}

export const demoTemplates: { name: string; subject: string; content: string; component?: string }[] = [
  {
    name: 'Something is wrong',
    subject: 'We are looking into a problem',
    content: 'We have seen that something is wrong, and are looking for the cause.',
  },
  {
    name: 'Card processor is down',
    subject: 'Card payments fail',
    content: 'The processor does not answer. Payments that failed can be tried again later.',
    component: 'Card payments',
  },
  {
    name: 'Feed of positions is late',
    subject: 'Positions are late',
    content: 'Positions arrive late from the provider. None is lost.',
    component: 'Live positions',
  },
];

export const demoSubscribers: {
  email?: string;
  phoneNumber?: string;
  firstName?: string;
  lastName?: string;
  nickname?: string;
  company?: string;
  tagList?: string[];
  components?: string[];
}[] = [
  { email: 'operations@harbour.example', company: 'Harbour Stores', tagList: ['gold', 'retail'] },
  {
    email: 'night.desk@orchard.example',
    firstName: 'Night',
    lastName: 'Desk',
    company: 'Orchard Foods',
    components: ['Card payments', 'Invoices'],
  },
  { email: 'api@loom.example', nickname: 'loom', company: 'Loom Textiles', tagList: ['api'], components: ['API'] },
  { phoneNumber: '+4930901820001', nickname: 'Duty phone', company: 'Harbour Stores', tagList: ['gold'] },
  { email: 'railway@northline.example', company: 'Northline', components: ['Rail'] },
];
