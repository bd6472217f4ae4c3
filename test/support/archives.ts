import { createECDH, randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { exportArchive, type ExportOptions } from '../../src/transfer/archive/export-archive.js';
import { importArchive, type ImportOptions, type ImportResult } from '../../src/transfer/archive/import-archive.js';
import { fileKinds } from '../../src/transfer/archive/kinds.js';
import { manifestName, toFileName } from '../../src/transfer/archive/manifest.js';
import { withArchive } from '../../src/transfer/archive/read-archive.js';
import { openSealedRecord } from '../../src/transfer/archive/sealed-records.js';
import { createKeyring } from '../../src/transfer/archive/secrets.js';
import { listFiles, unpack } from '../../src/pages/branding/zip-archive.js';
import { writeAs } from '../../src/cli/access-commands.js';
import type { Database } from '../../src/db/database.js';
import { hashImage } from '../../src/pages/images/measure.js';
import { loadPushKey } from '../../src/notifications/webhooks/push-key.js';
import { webhookTargetColumn } from '../../src/notifications/webhooks/webhook-target.js';
import { createAccessRecords } from './access-records.js';
import { openTestDatabase } from './database.js';
import { createComponent, createNotice } from './factories.js';
import type { TestService } from './service.js';
import { writeZip } from './zip-writer.js';

/** The files of an archive by name, without the manifest. */
export type Files = Map<string, string>;

/** Functions that write to a folder of the test file and open databases, which are removed after it. */
export function useArchives() {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const opened: Database[] = [];
  let count = 0;
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    for (const database of opened) await database.close();
  });
  const newPath = () => {
    count += 1;
    return join(folder, `${count}.zip`);
  };
  const writeBytes = (bytes: Buffer) => {
    const path = newPath();
    writeFileSync(path, bytes);
    return path;
  };
  return {
    newPath,
    /** An installation without pages. */
    async openEmpty(): Promise<Database> {
      const database = await openTestDatabase();
      opened.push(database);
      return database;
    },
    async write(
      database: Database,
      pageIds: string[] | null = null,
      options: Partial<ExportOptions> = {},
    ): Promise<string> {
      const path = newPath();
      await exportArchive(database, createWriteStream(path), { pageIds, ...options });
      return path;
    },
    writeBytes,
    /** `manifest` is its text; null: there is none. */
    writeFiles(files: Files, manifest: string | null): string {
      const entries = [...files, ...(manifest === null ? [] : [[manifestName, manifest] as const])];
      return writeBytes(writeZip(entries.map(([name, content]) => ({ name, content }))));
    },
  };
}

export const importFrom = (database: Database, path: string, options: ImportOptions = {}): Promise<ImportResult> =>
  withArchive(path, archive =>
    writeAs(database, 'importArchive').transaction(unit => importArchive(unit, archive, options)),
  );

export const dryRunFrom = (database: Database, path: string, options: ImportOptions = {}): Promise<ImportResult> =>
  withArchive(path, archive =>
    writeAs(database, 'importArchive').dryRun(unit => importArchive(unit, archive, options)),
  );

export async function readFiles(path: string): Promise<Files> {
  const entries = await listFiles(readFileSync(path));
  const files: Files = new Map();
  for (const entry of entries) files.set(entry.path, (await unpack(entry)).toString());
  return files;
}

/** Creates a page with records of every kind. Returns its id. */
export async function createPageOfAllKinds(service: TestService): Promise<string> {
  const {
    page_id: id,
    subscriber_id,
    component_id,
    notice_id,
    person_id,
    template_id,
  } = await createAccessRecords(service);
  const path = `/v1/pages/${id}`;
  const child = await createComponent(service, path, { name: 'Child', parent_id: component_id, position: 2 ** 31 - 1 });
  // Its id is less than that of its parent.
  const parent = await createComponent(service, path, { name: 'Parent “🚚”' });
  await service.patch(`${path}/components/${component_id}`, { parent_id: parent.id });
  const inAYear = (days: number) => new Date(Date.now() + (365 + days) * 86_400_000).toISOString();
  await createNotice(service, path, {
    subject: 'Moving',
    planned: true,
    begins_at: inAYear(0),
    ends_at: inAYear(1),
    should_automate_schedule: true,
    component_ids: [child.id],
    should_publish: true,
    initial_comment: '# Text\n\n"\\ \u2028 ☃',
  });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const run = (statement: string, ...values: unknown[]) => service.database.query(statement, [id, ...values]);
  await run(
    `insert into brand_image (page_id, role, format, hash, width, height, content)
     values ($1, 'logo', 'png', $3, 1, 1, $2)`,
    png,
    hashImage(png),
  );
  await run(
    `insert into page_image (page_id, hash, format, width, height, bytes, content)
     values ($1, $3, 'png', 1, 1, length($2::bytea), $2)`,
    png,
    hashImage(png),
  );
  await run(
    `insert into manual_status (page_id, component_id, state, note, began_at) values ($1, $2, 'maintenance', 'x', clock_timestamp())`,
    child.id,
  );
  await run(
    `insert into upstream (page_id, component_id, url, format, remote_id, remote_name, state, began_at, answered_at)
     values ($1, $2, 'https://status.example.com', 'statuspage', 'b13', 'API', 'degraded', clock_timestamp(), clock_timestamp())`,
    child.id,
  );
  const stored = JSON.stringify({ statuspage: { showcase: false }, 'a b': [1.5, null, 'ä "'] });
  for (const table of ['component', 'notice', 'metric'])
    await service.database.query(`update ${table} set metadata = $2::jsonb where page_id = $1`, [id, stored]);
  await run(
    `insert into metric_bucket select id, 300, now(), 0.1, 3, -1e-7, 12345678.9 from metric where page_id = $1`,
  );
  await run(
    `insert into upstream_period (page_id, component_id, state, began_at, ended_at)
     values ($1, $2, 'unknown', clock_timestamp() - interval '1 day', clock_timestamp())`,
    child.id,
  );
  await run(
    `update notice set owner_id = $2, tag_list = '{a,"b c"}' where page_id = $1 and id = $3`,
    person_id,
    notice_id,
  );
  await run(
    `insert into next_update_deadline (page_id, notice_id, made_by, due_at)
     values ($1, $2, 'person ' || $3, clock_timestamp() + interval '1 day')`,
    notice_id,
    person_id,
  );
  await run(
    `insert into recipient_refusals (page_id, channel, subscriber_id, address, count, response)
     values ($1, 'email', $2, 'ada@acme.example', 1, '550')`,
    subscriber_id,
  );
  await run(
    `update recurrence set on_missing_hour = 'later', windows = '[{"beginsAt":"2100-01-03T00:00:00.000Z","endsAt":"2100-01-03T03:00:00.000Z"}]'
     where page_id = $1`,
  );
  await run(
    `insert into occurrence (recurrence_id, occurs_at, notice_id)
     select r.id, occurs_at, notice_id from recurrence r cross join (values
       (timestamptz '2099-11-01T00:00:00Z', $2::integer), ('2099-12-01T00:00:00Z', null)) o (occurs_at, notice_id)
     where r.page_id = $1`,
    notice_id,
  );
  await run(
    `insert into import_source (page_id, source, kind, source_id, record_id, fingerprint) values
       ($1, 'Statuspage', 'component', 'a1', $2, 'b1'), ($1, 'Statuspage', 'notice', 'a2', $3, 'b2'),
       ($1, 'Statuspage', 'update', 'a3', 1999999999, 'b3')`,
    component_id,
    notice_id,
  );
  await run(
    `with stored as (
       insert into alert_group (page_id, source_id, key, title, state, received_count, first_received_at,
         last_received_at, starts_at, notice_id)
       select page_id, id, 'disk', 'Disk “full”', 'open', 2, clock_timestamp(), clock_timestamp(), null, $2
       from alert_source where page_id = $1 limit 1 returning id
     )
     insert into alert (group_id, fingerprint, status, line)
     select id, fingerprint, 'firing', 'Disk full' from stored cross join (values ('b'), ('a')) f (fingerprint)`,
    notice_id,
  );
  await run(
    `with open as (update notice set state = 'investigating' where page_id = $1 and id = $2 returning id),
     choosing as (update subscriber set chose_components = true where id = $3 returning id)
     insert into notified_subscriber select open.id, choosing.id, clock_timestamp() from open, choosing`,
    notice_id,
    subscriber_id,
  );
  await run(`insert into unsubscribed_address values ($1, 'hash')`);
  await service.database.query('insert into notice_template_component values ($1, $2)', [template_id, child.id]);
  await createWebhooks(service, id, component_id);
  return id;
}

/** A program, a chat and a browser that visitors subscribed. */
async function createWebhooks({ database, settings }: TestService, pageId: string, componentId: string): Promise<void> {
  await database.query('update recipient_refusals set reported_at = suspended_at');
  await loadPushKey(database.query, settings);
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = [browser.getPublicKey('base64url'), randomBytes(16).toString('base64url')];
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const subscribed: [format: string, url: string, secrets: string[], contact: string | null][] = [
    ['standard', 'https://program.example/hook', [secret], 'ada@acme.example'],
    ['slack', 'https://hooks.slack.com/services/T1/B1/visitor', [secret], null],
    ['push', 'https://push.example/browser', keys, null],
  ];
  for (const [format, url, secrets, contact] of subscribed) {
    const [{ id }] = (await database.query<{ id: number }>("select nextval('webhook_id_seq')::integer as id")) as [
      { id: number },
    ];
    await database.query(
      `insert into webhook (id, created_at, updated_at, page_id, format, target, chose_components, confirmed_at,
         url_hash, contact)
       values ($1, now(), now(), $2, $3, $4::jsonb, true, now(), 'hash of ' || $3, $5)`,
      [id, pageId, format, JSON.stringify(webhookTargetColumn.seal(settings, { id }, { url, secrets })), contact],
    );
    await database.query('insert into webhook_component values ($1, $2)', [id, componentId]);
  }
  await database.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at, reported_at)
     select page_id, 'push', id, 'push.example', 1, '503', now(), now() from webhook
     where page_id = $1 and format = 'push'`,
    [pageId],
  );
}

/** The sealed records of an archive, in clear. */
export async function readSealed(files: Files, passphrase: string): Promise<{ kind: string; json: string }[]> {
  const { salt } = JSON.parse(files.get(manifestName)!);
  const keyring = await createKeyring(passphrase, salt);
  const lines = files
    .get('secrets.ndjson')!
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  return lines.filter(({ kind }) => kind).map(line => ({ kind: line.kind, json: openSealedRecord(line, keyring) }));
}

/** Without those of options. */
export const fileNames = fileKinds.filter(([, { isOptional }]) => !isOptional).map(([name]) => toFileName(name));
