import { createAlertDraftMails } from '../alerts/draft-report.js';
import { pushToPeople, startAlertPushes } from '../alerts/push-report.js';
import { parseConsoleUrl, type Settings } from '../core/config.js';
import { Heartbeats } from '../core/heartbeats.js';
import type { Database } from '../db/database.js';
import { poll } from '../db/poll.js';
import { createUnpublishedMails } from '../notices/drafts/error-report.js';
import { createInputFormat } from '../notices/drafts/input-format.js';
import { schema } from '../schema.js';
import type { OpenChannels } from './open-channels.js';
import { loadTarget } from '../notifications/page-channels/channel-target.js';
import { loadWebhookTarget } from '../notifications/webhooks/webhook-target.js';
import {
  createChannelFailureMails,
  startChannelFailurePushes,
} from '../notifications/failures/channel-failure-report.js';
import { startChannelChecks } from '../notifications/failures/channel-checks.js';
import { cutPushMessage } from '../notifications/channels/push.js';
import { startWorker } from '../notifications/delivery/worker.js';
import {
  createSuspensionMails,
  createWebhookSuspensionMails,
  type CreateWebhookLink,
} from '../notifications/delivery/suspension-report.js';
import { type OperatorMails, sendOperatorMails } from '../notifications/operator-mail/operator-mail.js';
import { createReportMails } from '../status-page/reports/mail-reports.js';
import { buildLinkUrl, buildPreferencesUrl, buildUnsubscribeUrl } from '../subscribers/signed-link.js';
import { cacheLinkKeys } from '../auth/link-key.service.js';

/** Starts the worker with its dependencies. Returns what stops it. */
export function startNotifications(
  database: Database,
  settings: Settings,
  { adapters, confirmationSender, postGuarded, postToOperator, onFailing }: OpenChannels,
  heartbeats = new Heartbeats(),
): () => Promise<void> {
  const { retryHours, operatorEmail, operatorWebhookUrl, smtpUrl } = settings;
  const loadKey = cacheLinkKeys(database);
  const stopWorker = startWorker(database, {
    adapters,
    retryHours,
    onFailing,
    expectRounds: task => heartbeats.expect(task),
    loadTarget: ({ pageId, channel, webhookId }) =>
      webhookId === null
        ? loadTarget(database.query, settings, pageId, channel)
        : loadWebhookTarget(database.query, settings, webhookId),
    createLinks: async (page, subscriberId) => {
      const key = await loadKey(page.id);
      return {
        unsubscribe: buildUnsubscribeUrl(key, page, subscriberId),
        preferences: buildPreferencesUrl(key, page, subscriberId),
      };
    },
  });
  const { origin: consoleOrigin } = parseConsoleUrl(settings);
  const alertReader = { database, consoleOrigin, draftFormat: createInputFormat(schema) };
  const createWebhookLink: CreateWebhookLink = async (page, subscriberId) =>
    buildLinkUrl(await loadKey(page.id), page, { purpose: 'webhook', pageId: page.id, subscriberId });
  const operatorMails: [OperatorMails, intervalMs: number][] = [
    [createAlertDraftMails(alertReader), 5_000],
    [createUnpublishedMails(database, consoleOrigin), 60_000],
    [createChannelFailureMails(database, operatorEmail), 5_000],
    [createSuspensionMails(database, operatorEmail), 60_000],
    [createWebhookSuspensionMails(database, createWebhookLink), 60_000],
    [createReportMails(database, consoleOrigin), 60_000],
  ];
  const pusher = { ...alertReader, settings, post: postGuarded };
  const stops = [
    stopWorker,
    startChannelChecks(
      database,
      adapters,
      operatorWebhookUrl ? { url: operatorWebhookUrl, link: consoleOrigin, post: postToOperator } : null,
    ),
    startAlertPushes(pusher),
    startChannelFailurePushes(database, operatorEmail, async (emails, text) => {
      const message = cutPushMessage({ ...text, url: consoleOrigin, lang: 'en', dir: 'ltr' });
      await pushToPeople(pusher, emails, () => message);
    }),
  ];
  for (const [mails, intervalMs] of smtpUrl ? operatorMails : [])
    stops.push(
      poll(
        () => sendOperatorMails(database, mails, confirmationSender.sendMail),
        intervalMs,
        `mails to operators (${mails.kind}) could not be sent`,
        database.log,
      ),
    );
  return async () => void (await Promise.all(stops.map(stop => stop())));
}
