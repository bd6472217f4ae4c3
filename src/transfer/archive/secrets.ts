import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { sourceSecretColumn } from '../../alerts/source-secret.js';
import type { EntityManager } from '../../db/database.js';
import { query, type RunQuery } from '../../db/prepared-statements.js';
import type { Target } from '../../notifications/channels/channel.js';
import { pageChannels, type PageChannelName } from '../../notifications/channels/registry.js';
import { channelTargetColumn, loadTarget } from '../../notifications/page-channels/channel-target.js';
import type { SecretSettings } from '../../notifications/page-channels/encrypted-column.js';
import { Keyring } from '../../notifications/page-channels/keyring.js';
import { derivePasswordKey, passwordHashPattern } from '../../pages/page-password.js';
import type { Unit } from '../../records/unit.js';
import { refuseArchive } from './archive-error.js';
import { id, pageId, webAddress } from './kind.js';
import { openSealedRecord, readSealedRecords, type SealedRecord, sealedRecordSchema } from './sealed-records.js';

/** What encrypts the secrets of an archive. */
export interface SecretOptions {
  passphrase: string;
  /** Whose SECRETS_KEY encrypts the secrets of channels in the database. */
  settings: SecretSettings;
}

export const secretsName = 'secrets.ndjson';

/** A line: what gives access to a channel or a source of alerts; without both the hash of the page's password. */
const accessSchema = z.strictObject({
  page_id: pageId,
  channel: z.enum(pageChannels.map(({ name }) => name)).nullable(),
  alert_source: id.optional(),
  /** AES-256-GCM, with a key that scrypt derives from the passphrase and the salt of the manifest. */
  sealed: z.string(),
});
type Secret = z.infer<typeof accessSchema>;

export const secretSchema = z.union([accessSchema, sealedRecordSchema]);

export const createSalt = (): string => randomBytes(16).toString('base64url');

/** What seals the lines of a file of secrets. */
export async function createKeyring(passphrase: string, salt: string): Promise<Keyring> {
  const key = await derivePasswordKey(passphrase, Buffer.from(salt, 'base64url'));
  return new Keyring({ secretsKey: key.toString('base64') });
}

const toContext = ({ page_id, channel, alert_source }: Omit<Secret, 'sealed'>) =>
  `archive ${page_id} ${alert_source === undefined ? channel : `alert source ${alert_source}`}`;

interface SecretRow {
  page_id: string;
  channel: PageChannelName | null;
  password: string | null;
  alert_source: number | null;
  hash: string | null;
  signing_secret: string | null;
}

const secretsSql = `
  select page_id, channel, null as password, null::integer as alert_source, null as hash, null as signing_secret
    from channel_target where page_id = any($1) and target is not null
  union all select id, null, password_hash, null, null, null
    from page where id = any($1) and password_hash is not null
  union all select page_id, null, null, id, hash, secret from alert_source where page_id = any($1)
  order by page_id, alert_source nulls first, channel nulls first`;

const target = z.looseObject({ url: webAddress });
const passwordHash = z.string().regex(passwordHashPattern);

/** What gives access to a source of alerts: the hash of its token, and the secret of its signatures. */
const sourceSecret = z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/), secret: z.string().nullable() });

/** The lines of the file of secrets. */
export async function* readSecrets(
  run: RunQuery,
  pageIds: string[],
  { passphrase, settings }: SecretOptions,
  salt: string,
): AsyncGenerator<string[]> {
  const keyring = await createKeyring(passphrase, salt);
  const rows = await run<SecretRow>(secretsSql, [pageIds]);
  const lines: string[] = [];
  for (const { page_id, channel, password, alert_source, hash, signing_secret } of rows) {
    const owner = { page_id, channel, ...(alert_source !== null && { alert_source }) };
    const source = hash && {
      hash,
      secret: signing_secret && sourceSecretColumn.open(settings, { hash }, signing_secret),
    };
    const secret = channel ? await loadTarget(run, settings, page_id, channel) : (source ?? password);
    const sealed = keyring.encrypt(JSON.stringify(secret), toContext(owner));
    lines.push(JSON.stringify({ ...owner, sealed } satisfies Secret));
  }
  yield lines;
  yield* readSealedRecords({ run, settings }, pageIds, keyring);
}

/** Inserts a record, which is the JSON of `place`, with others of its kind. */
export type InsertRecord = (kind: string, json: string, place: string) => Promise<void>;

/** Stores the secrets of imported pages, encrypted as those of this installation are. */
export async function writeSecrets(
  { em }: Unit,
  lines: AsyncIterable<string>,
  pageIds: string[],
  { passphrase, settings }: SecretOptions,
  salt: string,
  insertRecord: InsertRecord,
): Promise<number> {
  const keyring = await createKeyring(passphrase, salt);
  let count = 0;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const secret = parseSecret(line);
    if ('kind' in secret) {
      const json = open(() => openSealedRecord(secret, keyring));
      await insertRecord(secret.kind, json, `${secretsName}, line ${number}`);
      continue;
    }
    const { page_id } = secret;
    if (!pageIds.includes(page_id)) throw refuseArchive(`${secretsName} names a page that is not in the archive`);
    const value = open(() => JSON.parse(keyring.decrypt(secret.sealed, toContext(secret))));
    await writeAccess(em, settings, secret, value);
    count += 1;
  }
  return count;
}

async function writeAccess(em: EntityManager, settings: SecretSettings, secret: Secret, value: unknown): Promise<void> {
  const { page_id, channel, alert_source } = secret;
  const form = channel ? target : passwordHash;
  if (alert_source === undefined && !form.safeParse(value).success) throw refuseArchive(`${secretsName} is not valid`);
  if (alert_source !== undefined) await writeSourceSecret(em, settings, secret, value);
  else if (channel)
    await query(em, 'update channel_target set target = $3::jsonb where page_id = $1 and channel = $2', [
      page_id,
      channel,
      JSON.stringify(channelTargetColumn.seal(settings, { page_id, channel }, value as Target)),
    ]);
  else await query(em, 'update page set password_hash = $2 where id = $1', [page_id, value]);
}

async function writeSourceSecret(
  em: EntityManager,
  settings: SecretSettings,
  { page_id, alert_source }: Secret,
  value: unknown,
): Promise<void> {
  const { success, data } = sourceSecret.safeParse(value);
  if (!success) throw refuseArchive(`${secretsName} is not valid`);
  const { hash, secret } = data;
  if ((await query(em, 'select 1 from alert_source where hash = $1', [hash])).length)
    throw refuseArchive('a source of alerts of the installation has the address of one of its sources');
  await query(em, 'update alert_source set hash = $3, secret = $4 where id = $1 and page_id = $2', [
    alert_source,
    page_id,
    hash,
    secret && sourceSecretColumn.seal(settings, { hash }, secret),
  ]);
}

function parseSecret(line: string): Secret | SealedRecord {
  try {
    return secretSchema.parse(JSON.parse(line));
  } catch {
    throw refuseArchive(`${secretsName} is not valid`);
  }
}

function open<Value>(decrypt: () => Value): Value {
  try {
    return decrypt();
  } catch {
    throw refuseArchive('the passphrase is not that of its secrets');
  }
}
