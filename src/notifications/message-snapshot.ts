import type { NoticeState, NoticeType } from '../notices/notice.states.js';
import type { ColourName } from '../branding/brand.entity.js';
import type { Locale } from '../i18n/locales.js';

/** What happened, in the order of a notice's life; channels choose by it (SMS tells of opening, closing and the begin of a maintenance). */
export const events = [
  'opened',
  'scheduled',
  'begun',
  'updated',
  'completed',
  'cancelled',
  'closed',
  'announced',
  'reminder',
] as const;
export type PublicationEvent = (typeof events)[number];

/**
 * What is said, as it was at the moment of the change and for ever: every message of a publication is made of it and of the recipient, and of nothing that could
 * have moved since. Times are ISO 8601 in UTC.
 */
export interface PublicationPicture {
  event: PublicationEvent;
  at: string;
  /** Markdown: the comment, else what changed, in words. */
  text: string;
  page: {
    id: string;
    name: string;
    locale: Locale;
    timezone: string;
    zone: string;
    /** The public address, without a slash at its end. */
    address: string;
    supportEmail: string | null;
    brand: Record<ColourName, string>;
  };
  notice: {
    id: number;
    /** The 16 characters by which its address is known for ever: one notice, one thread. */
    token: string;
    type: NoticeType;
    state: NoticeState | null;
    subject: string;
    link: string;
    beginsAt: string | null;
    endsAt: string | null;
    beganAt: string | null;
    endedAt: string | null;
    components: { id: number; name: string }[];
    /** Moves with every change; the SEQUENCE of its calendar entry. */
    version: number;
  };
  /** Newest first, the one that is told among them; 10 at most. */
  updates: { id: number; content: string; createdAt: string }[];
}
