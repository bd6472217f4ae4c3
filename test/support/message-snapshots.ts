import { defaultColours } from '../../src/pages/branding/colour.js';
import type { MessageSnapshot } from '../../src/notifications/messages/message-snapshot.js';

const at = '2026-11-20T13:02:00.000Z';

type Parts = Partial<Omit<MessageSnapshot, 'page' | 'notice'>> & {
  page?: Partial<MessageSnapshot['page']>;
  notice?: Partial<MessageSnapshot['notice']>;
};

/** The message snapshot of an opened incident, with the given parts replaced. */
export function createSnapshot({ page, notice, ...rest }: Parts = {}): MessageSnapshot {
  const text = 'Card payments **fail**. We are looking into it.';
  return {
    event: 'opened',
    at,
    text,
    updates: [{ id: 1, content: text, createdAt: at }],
    ...rest,
    page: {
      id: '5e1f00d5',
      name: 'Meridian',
      locale: 'en',
      timezone: 'Berlin',
      zone: 'Europe/Berlin',
      address: 'https://status.meridian.example',
      supportEmail: 'help@meridian.example',
      brand: { ...defaultColours },
      ...page,
    },
    notice: {
      id: 7,
      token: 'abcdefgh12345678',
      type: 'unplanned',
      state: 'investigating',
      subject: 'Payments fail',
      link: 'https://status.meridian.example/notices/abcdefgh12345678-payments-fail',
      beginsAt: null,
      endsAt: null,
      beganAt: at,
      endedAt: null,
      components: [{ id: 1, name: 'Checkout' }],
      version: 1,
      ...notice,
    },
  };
}

export function createPlannedSnapshot({ page, notice, ...rest }: Parts = {}): MessageSnapshot {
  return createSnapshot({
    event: 'scheduled',
    text: 'The database is upgraded.',
    updates: [{ id: 2, content: 'The database is upgraded.', createdAt: at }],
    ...rest,
    page,
    notice: {
      type: 'planned',
      state: 'scheduled',
      subject: 'Database upgrade',
      beganAt: null,
      link: 'https://status.meridian.example/notices/abcdefgh12345678-database-upgrade',
      beginsAt: '2026-11-27T21:00:00.000Z',
      endsAt: '2026-11-27T22:30:00.000Z',
      ...notice,
    },
  });
}
