import type { BackgroundTask } from '../db/poll.js';
import type { Outcome, PostJson } from '../notifications/channels/channel.js';
import { cutPushMessage, type PushMessage, sendPush } from '../notifications/channels/push.js';
import type { SecretSettings } from '../notifications/page-channels/encrypted-column.js';
import { loadPushKey } from '../notifications/webhooks/push-key.js';
import { loadAlertBrowsers } from './browser.service.js';
import { type AlertDraft, describeDraft, draftColumnsSql, type DraftReader } from './draft-report.js';

interface PushReporter extends DraftReader {
  settings: SecretSettings;
  post: PostJson;
}

const isDueSql = 'g.pushed_draft_id is distinct from g.latest_draft_id and g.latest_draft_id is not null';

/**
 * Marked before a message is sent: of several processes one sends it, and a crash loses it. Pages take turns, so that
 * hundreds of drafts of one page do not delay those of others.
 */
const takeSql = `
  with placed as (
    select g.id, row_number() over (partition by g.page_id order by g.id) as turn from alert_group g
    where ${isDueSql}
  ), due as (
    select g.id, d.id as draft_id from alert_group g join placed on placed.id = g.id
      join draft d on d.id = g.latest_draft_id
    where ${isDueSql} order by placed.turn, g.id limit 20 for update of g skip locked
  )
  update alert_group g set pushed_draft_id = due.draft_id
  from due, page p, alert_source s, draft d
  where g.id = due.id and p.id = g.page_id and s.id = g.source_id and d.id = due.draft_id
  returning ${draftColumnsSql}`;

/**
 * Sends a push message about each draft that was made of alerts to the browsers of those who may publish it. The mail
 * about it is retried, and a push message is not. Returns how many were sent.
 */
export async function pushAlertDrafts(reporter: PushReporter): Promise<number> {
  const drafts = await reporter.database.query<AlertDraft>(takeSql);
  const sent = await Promise.allSettled(drafts.map(draft => pushDraft(reporter, draft)));
  const failure = sent.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  return sent.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0);
}

async function pushDraft(reporter: PushReporter, draft: AlertDraft): Promise<number> {
  return pushToPeople(reporter, draft.recipients, () => describeMessage(reporter, draft));
}

type Pusher = Pick<PushReporter, 'database' | 'settings' | 'post' | 'consoleOrigin'>;

/** Sends a message to the browsers in which these people are signed in. Returns how many were sent. */
export async function pushToPeople(
  { database, settings, consoleOrigin, post }: Pusher,
  emails: readonly string[],
  describe: () => PushMessage | Promise<PushMessage>,
): Promise<number> {
  const browsers = await loadAlertBrowsers(database, settings, emails);
  if (!browsers.length) return 0;
  const signer = await loadPushKey(database.query, settings);
  const message = await describe();
  const outcomes = await Promise.all(
    browsers.map(({ url, ...keys }) =>
      sendPush({ url, keys, ...signer }, message, post, { sender: consoleOrigin, isUrgent: true }).catch(
        (error: Error): Outcome => ({ kind: 'failed', response: error.message }),
      ),
    ),
  );
  const gone = browsers.filter((_, index) => isGone(outcomes[index]!)).map(({ id }) => id);
  if (gone.length) await database.query('delete from alert_browser where id = any($1)', [gone]);
  return outcomes.filter(({ kind }) => kind === 'sent').length;
}

const isGone = (outcome: Outcome) => outcome.kind === 'refused' && outcome.isGone === true;

async function describeMessage(reporter: PushReporter, draft: AlertDraft): Promise<PushMessage> {
  const { subject, mail, problem, audience, url } = await describeDraft(reporter, draft);
  const text = mail ? `To ${audience.join(', ') || 'nobody'}: ${mail.text.trim().replace(/\s+/g, ' ')}` : problem;
  return cutPushMessage({
    title: `Publish it? ${subject}`,
    body: [draft.pageName, text].join(' · '),
    url,
    tag: `draft-${draft.draftId}`,
    lang: 'en',
    dir: 'ltr',
  });
}

export const createAlertPushTask = (reporter: PushReporter): BackgroundTask => ({
  name: 'the push of alert drafts',
  intervalMs: 5_000,
  roundSeconds: 150,
  failureMessage: 'push messages about drafts of alerts could not be sent',
  run: () => pushAlertDrafts(reporter),
});
