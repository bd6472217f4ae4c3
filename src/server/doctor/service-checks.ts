import { InvalidSettings, parsePublicUrl } from '../../core/config.js';
import { readFact } from '../monitoring/installation-facts.js';
import { createFetch } from '../../http/proxies.js';
import type { Reencryption } from '../../notifications/page-channels/encrypted-column.js';
import { encryptSecrets } from '../encrypt-secrets.js';
import { type Check, describeError, failed, type Finding, ok, onDatabase, skipped, warning } from './check.js';

/** Whether SECRETS_KEY has each key by which secrets are encrypted: a start without one ends. */
export const checkSecrets: Check = onDatabase(async (database, { settings }) => {
  let found: Reencryption;
  try {
    found = await encryptSecrets(database, settings, { isDryRun: true });
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    const remedy = settings.secretsKey ? 'Add that key to SECRETS_KEY, after a comma' : 'Set SECRETS_KEY to that key';
    return failed(error.message, `${remedy}: without it the service does not start.`);
  }
  if (!settings.secretsKey)
    return warning(
      'SECRETS_KEY is not set: the secrets of channels are stored in clear.',
      'Set it to what `openssl rand -base64 32` prints, and keep a copy of it elsewhere.',
    );
  if (found.unreadable)
    return warning(
      'SECRETS_KEY lacks the key of the stored refresh token: that of SMTP_OAUTH_REFRESH_TOKEN is used.',
      'Add that key to SECRETS_KEY, after a comma, if the mail server does not accept the sign-in.',
    );
  return found.changed
    ? ok(`SECRETS_KEY is set: the next start encrypts ${found.changed} secrets with its first key.`)
    : ok('SECRETS_KEY decrypts all secrets.');
});

const requestTimeoutMs = 4_000;

/** Links of a page without a domain of its own lead to a host below the base host, unless that is an IP address. */
export const checkPageHost: Check = onDatabase(async (database, { settings }) => {
  const { baseHost, pageUrl } = parsePublicUrl(settings);
  if (baseHost === 'localhost') return skipped('PUBLIC_URL is that of this machine.');
  if (!pageUrl.suffix) return skipped('PUBLIC_URL has an IP address: pages have paths there, and no hosts.');
  const [page] = await database.query<{ id: string }>(
    `select id from page where not exists (select from custom_domain d where d.page_id = page.id
       and d.verified_at is not null) order by created_at, id limit 1`,
  );
  if (!page) return skipped(`No page is at a host below ${baseHost}.`);
  return askPageHost(createFetch(settings), `${pageUrl.prefix}${page.id}${pageUrl.suffix}`, baseHost);
});

export async function askPageHost(fetchUrl: typeof fetch, url: string, baseHost: string): Promise<Finding> {
  try {
    const { status } = await fetchUrl(url, { redirect: 'manual', signal: AbortSignal.timeout(requestTimeoutMs) });
    return status < 500 && status !== 404
      ? ok(`${url} shows its page.`)
      : failed(`${url} answers ${status} in place of its page.`, 'Have the proxy pass on the Host header.');
  } catch (error) {
    return failed(
      `${url} cannot be reached: ${describeError(error)}. Links in messages lead there.`,
      `Point *.${baseHost} at the proxy in DNS, with a wildcard certificate or certificates on demand.`,
    );
  }
}

interface Overdue {
  fanOut: boolean;
  channelChecks: boolean;
  notices: boolean;
  records: boolean;
}

/** What nobody has done that a task does within seconds: another process may run it, so its settings say nothing. */
export const checkBackground: Check = onDatabase(async database => {
  const [row] = await database.query<Overdue>(
    `select
       exists (select from publication where fanned_out_at is null and stopped_at is null
         and created_at < clock_timestamp() - interval '10 minutes') as "fanOut",
       exists (select from channel_check where due_at < clock_timestamp() - interval '10 minutes') as "channelChecks",
       exists (select from notice where (begin_armed and begins_at < clock_timestamp() - interval '10 minutes')
         or (complete_armed and ends_at < clock_timestamp() - interval '10 minutes')) as notices,
       exists (select from page_change where created_at < clock_timestamp() - interval '1 hour') as records`,
  );
  const { fanOut, channelChecks, notices, records } = row!;
  const late = [
    ...(fanOut ? ['Messages of a publication have waited for more than 10 minutes'] : []),
    ...(channelChecks ? ['Mail or SMS has not been verified when it was due'] : []),
    ...(notices ? ['Planned maintenance has not begun or ended in time'] : []),
    ...(records ? ['Expired records have not been deleted for an hour'] : []),
  ];
  if (!late.length) return ok('Nothing is late that processes do in the background.');
  const remedies = [
    ...(fanOut || channelChecks ? ['WORKER=true'] : []),
    ...(notices || records ? ['AUTOMATION=true'] : []),
  ];
  return warning(
    `${late.join('. ')}.`,
    `If the service runs, set ${remedies.join(' and ')} for at least one process, or start \`allclear worker\`.`,
  );
});

const lateDays = 2;

/** Backups by other means are not known. */
export const checkBackup: Check = onDatabase(async database => {
  const backup = await readFact(database, 'backup');
  if (!backup) return skipped('`allclear backup` has made no backup of this database.');
  const days = backup.ageSeconds / 86_400;
  const found = `The last backup by \`allclear backup\` is ${days.toFixed(1)} days old: ${backup.value}.`;
  return days < lateDays ? ok(found) : warning(found, 'Make one each night: docs/backup.md has a timer.');
});

/** A process that starts stores its own. */
export const checkSharedPublicUrl: Check = onDatabase(async (database, { settings }) => {
  const { origin } = parsePublicUrl(settings);
  const last = await readFact(database, 'public_url');
  if (!last) return skipped('No process has started on this database.');
  return last.value === origin
    ? ok('The process that started last has the same PUBLIC_URL.')
    : warning(
        `The process that started last has the PUBLIC_URL ${last.value}, and here it is ${origin}.`,
        'Set the same PUBLIC_URL for all processes and commands: links are made by each of them.',
      );
});
