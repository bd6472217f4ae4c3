import { shorten } from '../../i18n/shorten.js';
import { defaultImpact } from '../../notices/impact.rules.js';
import { isOpen, isPresent } from '../../notices/notice.states.js';
import type { MessageSnapshot, PublicationEvent } from './message-snapshot.js';

type WebhookEvent = 'notice.published' | 'notice.updated' | 'notice.ended' | 'webhook.test';

const eventTypes: Record<PublicationEvent, WebhookEvent> = {
  opened: 'notice.published',
  scheduled: 'notice.published',
  announced: 'notice.published',
  begun: 'notice.updated',
  updated: 'notice.updated',
  postmortem: 'notice.updated',
  correction: 'notice.updated',
  reminder: 'notice.updated',
  update_due: 'notice.updated',
  completed: 'notice.ended',
  cancelled: 'notice.ended',
  closed: 'notice.ended',
};

/** A correction may take the place of the message that the notice is over. */
const findType = ({ event, notice }: MessageSnapshot): WebhookEvent =>
  event === 'correction' && notice.state && !isOpen(notice.state) ? 'notice.ended' : eventTypes[event];

/** A test message belongs to no notice. */
export const isTest = ({ notice }: MessageSnapshot): boolean => notice.token === '';

/** The body of a request to a webhook by Standard Webhooks, with the whole notice. Texts are Markdown. */
export const renderStandardBody = (snapshot: MessageSnapshot) => fitBody(snapshot, renderFitting);

function renderFitting(snapshot: MessageSnapshot) {
  const { event, at, text, page, notice, updates } = snapshot;
  const { id, type, state, subject, link, beginsAt, endsAt, beganAt, endedAt, nextUpdateBy, components } = notice;
  return {
    type: isTest(snapshot) ? 'webhook.test' : findType(snapshot),
    timestamp: at,
    data: {
      event,
      page: { id: page.id, name: page.name, url: page.address },
      notice: {
        id,
        type,
        state,
        subject,
        link,
        begins_at: beginsAt,
        ends_at: endsAt,
        began_at: beganAt,
        ended_at: endedAt,
        next_update_by: nextUpdateBy ?? null,
        components: components.map(({ id, name, impact }) => ({ id, name, impact: findImpact(notice, impact) })),
        updates: updates.map(update => ({
          id: update.id,
          content: update.content,
          state: update.state ?? null,
          created_at: update.createdAt,
        })),
      },
      latest_update: { content: text, created_at: at },
      link,
    },
  };
}

function findImpact({ type, state }: MessageSnapshot['notice'], impact: string = defaultImpact): string | null {
  if (!isPresent(state)) return null;
  return type === 'planned' ? 'maintenance' : impact;
}

/** Standard Webhooks recommends less than 20 kB. */
const maxBytes = 20_000;

/** Characters of a text and of a name, and the number of components: the last ones always fit. */
const limits = [
  { text: 65_535, name: 255, components: 200 },
  { text: 4_000, name: 255, components: 100 },
  { text: 1_000, name: 100, components: 50 },
  { text: 100, name: 30, components: 25 },
];

/** Cuts long texts, and the end of a long list of components, until the body is small enough. */
export function fitBody<Body>(
  snapshot: MessageSnapshot,
  render: (snapshot: MessageSnapshot) => Body,
  [limit, ...lower] = limits,
): Body {
  const body = render(cutSnapshot(snapshot, limit!));
  const isSmall = Buffer.byteLength(JSON.stringify(body)) < maxBytes;
  return isSmall || !lower.length ? body : fitBody(snapshot, render, lower);
}

function cutSnapshot(snapshot: MessageSnapshot, limit: (typeof limits)[number]): MessageSnapshot {
  const { page, notice, updates, text } = snapshot;
  return {
    ...snapshot,
    text: cut(text, limit.text),
    page: { ...page, name: cut(page.name, limit.name) },
    notice: {
      ...notice,
      subject: cut(notice.subject, limit.name),
      components: notice.components
        .slice(0, limit.components)
        .map(component => ({ ...component, name: cut(component.name, limit.name) })),
    },
    updates: updates.map(update => ({ ...update, content: cut(update.content, limit.text) })),
  };
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : shorten(text.slice(0, length + 1), part => part.length <= length);
