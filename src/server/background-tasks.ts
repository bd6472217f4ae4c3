import { createAlertDraftMails } from '../alerts/draft-report.js';
import { createAlertPushTask, pushToPeople } from '../alerts/push-report.js';
import { cacheLinkKeys } from '../auth/link-key.service.js';
import { createUpstreamTask } from '../components/upstream/upstream.automation.js';
import type { UpstreamReader } from '../components/upstream/read-upstream.js';
import { parseConsoleUrl, type Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import type { BackgroundTask } from '../db/poll.js';
import { createUnpublishedMails } from '../notices/drafts/error-report.js';
import { createInputFormat } from '../notices/drafts/input-format.js';
import { cutPushMessage } from '../notifications/channels/push.js';
import { createSuspensionMails, createWebhookSuspensionMails } from '../notifications/delivery/suspension-report.js';
import { createChannelCheckTask } from '../notifications/failures/channel-checks.js';
import {
  createChannelFailureMails,
  createChannelFailurePushTask,
} from '../notifications/failures/channel-failure-report.js';
import { type OperatorMails, sendOperatorMails } from '../notifications/operator-mail/operator-mail.js';
import { createDomainTask } from '../pages/custom-domain/custom-domain.automation.js';
import type { DnsOptions } from '../pages/custom-domain/custom-domain.service.js';
import { schema } from '../schema.js';
import { createReportMails } from '../status-page/reports/mail-reports.js';
import { buildLinkUrl } from '../subscribers/signed-link.js';
import type { OpenChannels } from './open-channels.js';
import { createRetentionTask } from './retention/prune.js';

/** What AUTOMATION stands for, beside planned notices, which have a loop of their own. */
export const listAutomationTasks = (
  database: Database,
  settings: Settings,
  dns: DnsOptions,
  upstreams: UpstreamReader,
): BackgroundTask[] => [
  createDomainTask(database, dns),
  createUpstreamTask(database, upstreams),
  createRetentionTask(database, settings),
];

/** What WORKER stands for, beside the deliveries. */
export function listNotificationTasks(
  database: Database,
  settings: Settings,
  { adapters, confirmationSender, postGuarded, postToOperator }: OpenChannels,
): BackgroundTask[] {
  const { operatorEmail, operatorWebhookUrl, smtpUrl } = settings;
  const { origin: consoleOrigin } = parseConsoleUrl(settings);
  const loadKey = cacheLinkKeys(database);
  const alertReader = { database, consoleOrigin, draftFormat: createInputFormat(schema) };
  const pusher = { ...alertReader, settings, post: postGuarded };
  const webhook = operatorWebhookUrl ? { url: operatorWebhookUrl, link: consoleOrigin, post: postToOperator } : null;
  const mail = (mails: OperatorMails, intervalMs: number): BackgroundTask => ({
    name: `the operator mail ${mails.kind}`,
    intervalMs,
    roundSeconds: 300,
    failureMessage: `mails to operators (${mails.kind}) could not be sent`,
    run: () => sendOperatorMails(database, mails, confirmationSender.sendMail),
  });
  const tasks = [
    createChannelCheckTask(database, adapters, webhook),
    createAlertPushTask(pusher),
    createChannelFailurePushTask(database, operatorEmail, async (emails, text) => {
      const message = cutPushMessage({ ...text, url: consoleOrigin, lang: 'en', dir: 'ltr' });
      await pushToPeople(pusher, emails, () => message);
    }),
  ];
  if (!smtpUrl) return tasks;
  const createWebhookLink = async (page: { id: string; address: string }, subscriberId: number) =>
    buildLinkUrl(await loadKey(page.id), page, { purpose: 'webhook', pageId: page.id, subscriberId });
  return [
    ...tasks,
    mail(createAlertDraftMails(alertReader), 5_000),
    mail(createUnpublishedMails(database, consoleOrigin), 60_000),
    mail(createChannelFailureMails(database, operatorEmail, consoleOrigin), 5_000),
    mail(createSuspensionMails(database, operatorEmail, consoleOrigin), 60_000),
    mail(createWebhookSuspensionMails(database, createWebhookLink), 60_000),
    mail(createReportMails(database, consoleOrigin), 60_000),
  ];
}
