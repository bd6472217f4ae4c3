import type { PublicationPicture } from '../message-snapshot.js';
import { textsOf } from '../../i18n/translator.js';

/** What is said to try a channel out: it goes the way of everything else, and tells of no notice. */
export function testPicture(page: PublicationPicture['page'], at: string): PublicationPicture {
  const { t } = textsOf(page.locale);
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
