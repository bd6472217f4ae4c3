import type { Check } from './check.js';
import { checkClock, checkDatabaseServer, checkDatabaseTls, checkMigrations, checkRights } from './database-checks.js';
import { checkDatabaseHosts } from './database-hosts-check.js';
import { checkDataDirectory, checkDisk, checkNode, checkSettings } from './machine-checks.js';
import { checkDkim, checkDmarc, checkMailServer, checkSpf } from './mail-checks.js';
import { checkCustomDomains, checkIdentityProvider, checkSmsGateway } from './outgoing-checks.js';
import { checkPublicUrl } from './public-url-check.js';
import { checkBackground, checkBackup, checkPageHost, checkSecrets, checkSharedPublicUrl } from './service-checks.js';

/** The checks of `allclear doctor`, in the order in which they are printed. */
export const checks: Readonly<Record<string, Check>> = {
  settings: checkSettings,
  node: checkNode,
  database: checkDatabaseServer,
  migrations: checkMigrations,
  'database rights': checkRights,
  'database hosts': checkDatabaseHosts,
  'database clock': checkClock,
  'database TLS': checkDatabaseTls,
  secrets: checkSecrets,
  background: checkBackground,
  backup: checkBackup,
  'data directory': checkDataDirectory,
  disk: checkDisk,
  'public URL': checkPublicUrl,
  'other processes': checkSharedPublicUrl,
  'page host': checkPageHost,
  'mail server': checkMailServer,
  SPF: checkSpf,
  DKIM: checkDkim,
  DMARC: checkDmarc,
  'SMS gateway': checkSmsGateway,
  'identity provider': checkIdentityProvider,
  'custom domains': checkCustomDomains,
};
