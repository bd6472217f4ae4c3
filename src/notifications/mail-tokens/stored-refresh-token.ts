import { setTimeout as wait } from 'node:timers/promises';
import { hashToken } from '../../auth/token.service.js';
import type { Settings } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import type { RefreshTokens } from '../channels/email/oauth.js';
import { EncryptedColumn } from '../page-channels/encrypted-column.js';
import { secretText } from '../page-channels/stored-formats.js';

/** Longer than two requests with their timeouts. */
const leaseSeconds = 40;
const waitMs = 200;
/** Longer than a lease: a process that crashed loses it. */
const longestWaitMs = 50_000;
/** Of the row of the installation. */
const key = { id: 1 };

/** A token whose key is missing stays, and is not used. */
export const refreshTokenColumn = new EncryptedColumn({
  table: 'mail_refresh_token',
  name: 'token',
  format: secretText,
  keys: ['id'],
  toContext: (_: typeof key) => 'mail refresh token',
  isReplaceable: true,
});

/**
 * Some providers give a new refresh token with each access token, and accept the one before no more. The newest is
 * stored, encrypted with SECRETS_KEY, and used before that of the settings; it is forgotten when the setting changes. A
 * lease lets one process at a time use it. It is not a lock of a row: the embedded database has one connection, which a
 * slow provider would block.
 */
export class StoredRefreshToken implements RefreshTokens {
  /** Null until it is open: then the token of the settings is used. */
  database: Pick<Database, 'query'> | null = null;
  /** One that could not be stored: the provider accepts no other. */
  private unsaved: string | null = null;

  constructor(private readonly settings: Pick<Settings, 'secretsKey' | 'smtpOauthRefreshToken'>) {}

  async withToken(request: (token: string) => Promise<string | null>): Promise<void> {
    const { database } = this;
    const setting = this.settings.smtpOauthRefreshToken;
    if (!database) {
      await request(setting);
      return;
    }
    const { token: sealed, until } = await this.lease(database);
    const stored = this.unsaved ?? (sealed === null ? null : this.open(sealed));
    let newest = this.unsaved;
    try {
      const given = await request(stored ?? setting).catch((error: Error) => {
        // It was used after a backup, or revoked. That of the settings may be newer than it.
        if (stored !== null && stored !== setting && error.message.startsWith('invalid_grant')) return request(setting);
        throw error;
      });
      if (given !== null && given !== (stored ?? setting)) newest = given;
    } finally {
      this.unsaved = newest;
      await database.query(
        // Another process can have taken a lease that has expired.
        `update mail_refresh_token set token = coalesce($2, token),
           leased_until = case when leased_until = $3::timestamptz then clock_timestamp() else leased_until end
         where setting_hash = $1`,
        [hashToken(setting), newest === null ? null : refreshTokenColumn.seal(this.settings, key, newest), until],
      );
      this.unsaved = null;
    }
  }

  /** Returns the stored token, if there is one that descends from the setting, and until when it is leased. */
  private async lease({ query }: Pick<Database, 'query'>): Promise<{ token: string | null; until: string }> {
    const until = performance.now() + longestWaitMs;
    for (;;) {
      const [row] = await query<{ token: string | null; until: string }>(
        `insert into mail_refresh_token (id, setting_hash, leased_until)
         values (1, $1, clock_timestamp() + interval '${leaseSeconds} seconds')
         on conflict (id) do update set leased_until = excluded.leased_until, setting_hash = excluded.setting_hash,
           token = case when mail_refresh_token.setting_hash = excluded.setting_hash then mail_refresh_token.token end
         where mail_refresh_token.leased_until <= clock_timestamp()
         returning token, leased_until::text as until`,
        [hashToken(this.settings.smtpOauthRefreshToken)],
      );
      if (row) return row;
      if (performance.now() > until) throw new Error('Another process did not finish its request for a token.');
      await wait(waitMs);
    }
  }

  /** Null where its key is missing. */
  private open(stored: string): string | null {
    try {
      return refreshTokenColumn.open(this.settings, key, stored);
    } catch {
      return null;
    }
  }
}
