import { hash } from 'node:crypto';
import type { PersonCaller } from '../auth/access.js';
import { problems } from '../core/problems.js';
import type { Database } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { EncryptedColumn, type SecretSettings } from '../notifications/page-channels/encrypted-column.js';
import { createTargetFormat } from '../notifications/page-channels/stored-formats.js';
import { parseTargetUrl } from '../http/target-url.js';
import { areBrowserKeys } from '../notifications/webhooks/push-subscription.service.js';
import type { Writer } from '../records/writer.js';

/** Browsers of people, which get a push message about each draft that alerts make. */

/** The endpoint, which only the browser, its push service and this installation know, and the keys of the browser. */
interface BrowserSubscription {
  url: string;
  p256dh: string;
  auth: string;
}

interface BrowserSettings extends SecretSettings {
  allowPrivateTargets: boolean;
}

const maxBrowsers = 20;

/** Two spellings of one address are the same browser. */
const toHash = (url: string) => hash('sha256', URL.parse(url)?.href ?? url);

export const alertBrowserColumn = new EncryptedColumn({
  table: 'alert_browser',
  name: 'target',
  format: createTargetFormat<BrowserSubscription>(),
  keys: ['hash'],
  toContext: (row: { hash: string }) => `alert browser ${row.hash}`,
});

/** Idempotent. A browser that somebody else used before is now of this person. */
export const addAlertBrowser = (
  write: Writer,
  settings: BrowserSettings,
  { personId }: PersonCaller,
  { url: text, p256dh, auth }: BrowserSubscription,
): Promise<void> =>
  write.transaction(async unit => {
    const { em, validation } = unit;
    const url = parseTargetUrl(validation, text, settings.allowPrivateTargets)?.href ?? '';
    if (!areBrowserKeys(p256dh, auth))
      validation.addError('p256dh', problems.invalid('must be the keys of a push subscription, with `auth`'));
    validation.throwIfInvalid();
    const urlHash = toHash(url);
    const [others] = await query<{ count: number }>(
      em,
      'select count(*)::int as count from alert_browser where person_id = $1 and hash <> $2',
      [personId, urlHash],
    );
    if (others!.count >= maxBrowsers)
      validation.addError('url', problems.unusable(`exceeds the limit of ${maxBrowsers} browsers.`));
    validation.throwIfInvalid();
    const target = alertBrowserColumn.seal(settings, { hash: urlHash }, { url, p256dh, auth });
    await query(
      em,
      `insert into alert_browser (person_id, hash, target, created_at) values ($1, $2, $3::jsonb, clock_timestamp())
       on conflict (hash) do update set person_id = excluded.person_id, target = excluded.target`,
      [personId, urlHash, JSON.stringify(target)],
    );
    unit.describeChange('Person', String(personId), { pushService: { after: new URL(url).host } });
  });

/** Idempotent. */
export const deleteAlertBrowser = (write: Writer, { personId }: PersonCaller, url: string): Promise<void> =>
  write.transaction(async unit => {
    const deleted = await query(unit.em, 'delete from alert_browser where person_id = $1 and hash = $2 returning id', [
      personId,
      toHash(url),
    ]);
    if (deleted.length)
      unit.describeChange('Person', String(personId), { pushService: { before: new URL(url).host, after: null } });
  });

interface AlertBrowser extends BrowserSubscription {
  id: number;
}

/** Those of the people with these addresses. */
export async function loadAlertBrowsers(
  { query: run }: Pick<Database, 'query'>,
  settings: SecretSettings,
  emails: readonly string[],
): Promise<AlertBrowser[]> {
  const rows = await run<{ id: number; hash: string; target: object }>(
    `select b.id, b.hash, b.target from alert_browser b join person o on o.id = b.person_id
     where lower(o.email) = any($1) and o.disabled_at is null order by b.id`,
    [emails],
  );
  return rows.map(({ target, ...row }) => ({ id: row.id, ...alertBrowserColumn.open(settings, row, target) }));
}
