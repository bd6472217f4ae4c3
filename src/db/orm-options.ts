import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, FlushMode } from '@mikro-orm/core';
import { defineConfig, type Options } from '@mikro-orm/postgresql';

/** Tables that SQL alone reads and writes: the migrations are their only definition. */
export const tablesWithoutEntity = [
  'access_try',
  'alert',
  'alert_browser',
  'bounce_count',
  'bounce_hook',
  'channel_check',
  'channel_failure',
  'channel_target',
  'deleted_delivery_count',
  'demo_record',
  'domain_reservation',
  'idempotent_response',
  'installation_fact',
  'identity',
  'identity_request',
  'import_source',
  'mail_refresh_token',
  'metric_bucket',
  'migration',
  'moved_page',
  'next_update_deadline',
  'notice_template_component',
  'occurrence',
  'one_time_code',
  'operator_mail',
  'page_change',
  'page_image',
  'passkey_challenge',
  'recipient_refusals',
  'sign_in_link',
  'signing_key',
  'subscriber_component',
  'subscriber_count',
  'subscription_request',
  'notified_subscriber',
  'unsubscribed_address',
  'upstream_period',
  'used_access_token',
  'webhook_component',
  'webhook_key',
];

interface OrmOptions {
  entities: readonly EntityClass<object>[];
  dbName?: string;
  clientUrl?: string;
  driverOptions?: Options['driverOptions'];
  /** Of the command line alone. */
  extensions?: Options['extensions'];
  migrations?: Options['migrations'];
}

/**
 * The configuration of MikroORM, of the service and of its command line. A new object each time: MikroORM changes its
 * options.
 */
export const createOrmConfiguration = ({ entities, ...connection }: OrmOptions) =>
  defineConfig({
    ...connection,
    entities: [...entities],
    metadataProvider: ReflectMetadataProvider,
    discovery: { warnWhenNoEntities: false },
    schemaGenerator: { skipTables: tablesWithoutEntity, ignoreTriggers: true, ignoreRoutines: true },
    // A mistyped name must not become a new database.
    ensureDatabase: false,
    // The driver's messages can contain values of records. Errors are logged by the HTTP layer.
    logger: () => {},
    forceUtcTimezone: true,
    // A find must not flush half of a change: only Unit.save sets timestamps and flushes.
    flushMode: FlushMode.COMMIT,
  });
