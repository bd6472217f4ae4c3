import type { MessageSnapshot } from './message-snapshot.js';
import { getTranslator } from '../../i18n/translator.js';

/** The message that tests a channel: rendered and sent like any other, about no notice. */
export function createTestSnapshot(page: MessageSnapshot['page'], at: string): MessageSnapshot {
  const { t } = getTranslator(page.locale);
  const times = { beginsAt: null, endsAt: null, beganAt: at, endedAt: at };
  return {
    event: 'announced',
    at,
    text: t('mail.testText', { page: page.name }),
    page,
    notice: {
      id: 0,
      token: '',
      type: 'general',
      state: null,
      subject: t('mail.testSubject'),
      link: page.address,
      ...times,
      components: [],
      version: 1,
    },
    updates: [],
  };
}
