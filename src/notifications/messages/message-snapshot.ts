import type { NoticeState, NoticeType, UpdateKind } from '../../notices/notice.states.js';
import type { ShownImpact } from '../../notices/impact.rules.js';
import type { ColourName } from '../../pages/branding/colour.js';
import type { Locale } from '../../i18n/locales.js';

/** In the order of a notice's lifecycle. Channels select by event, as SMS does. */
export const publicationEvents = [
  'opened',
  'scheduled',
  'begun',
  'updated',
  'completed',
  'cancelled',
  'closed',
  'postmortem',
  'correction',
  'announced',
  'reminder',
  'update_due',
] as const;
export type PublicationEvent = (typeof publicationEvents)[number];

/** Its URL, and its size in pixels. */
export interface MessageImage {
  url: string;
  width: number;
  height: number;
}

/**
 * The data of a publication at the moment of the change. Every message is rendered from it and from the recipient,
 * never from data that may have changed since. Times are ISO 8601 in UTC.
 */
export interface MessageSnapshot {
  event: PublicationEvent;
  at: string;
  /** Markdown: the comment, or a description of the change. */
  text: string;
  page: {
    id: string;
    name: string;
    locale: Locale;
    timezone: string;
    zone: string;
    /** The public URL, without a trailing slash. */
    address: string;
    supportEmail: string | null;
    /** Absent in snapshots of earlier versions. */
    isPrivate?: boolean;
    brand: Record<ColourName, string>;
    /** The images of the brand, in a format that mail programs show. Absent in snapshots of earlier versions. */
    images?: Partial<Record<'logo' | 'logoDark', MessageImage>>;
  };
  notice: {
    id: number;
    /** The first 16 characters of its path, which never change: they identify the e-mail thread. */
    token: string;
    type: NoticeType;
    state: NoticeState | null;
    subject: string;
    link: string;
    beginsAt: string | null;
    endsAt: string | null;
    /** Of a series: its next windows after this one. Absent in snapshots of earlier versions. */
    furtherWindows?: { beginsAt: string; endsAt: string }[];
    beganAt: string | null;
    endedAt: string | null;
    /** By when the next update is due. Absent in snapshots of earlier versions. */
    nextUpdateBy?: string | null;
    /** `impact` is absent in snapshots of earlier versions. */
    components: { id: number; name: string; impact?: ShownImpact }[];
    /** Grows with every change; the SEQUENCE of its calendar entry. */
    version: number;
  };
  /**
   * The updates that were published, newest first, the present one included; 10 at most, and those whose texts have
   * 100,000 characters together.
   */
  updates: {
    id: number;
    content: string;
    createdAt: string;
    /** The state of the notice when it was posted. Absent in snapshots of earlier versions. */
    state?: NoticeState | null;
    /** Absent in snapshots of earlier versions. */
    kind?: UpdateKind;
  }[];
}
