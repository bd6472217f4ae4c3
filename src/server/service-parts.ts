import { createUpstreamReader, type UpstreamReader } from '../components/upstream/read-upstream.js';
import { type PublicUrl, parseConsoleUrl, parsePublicUrl, type Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import type { Database } from '../db/database.js';
import { Admission, type AdmissionOptions, embeddedConnections } from '../http/admission/admission.js';
import { type BodyLimitOptions, BodyLimits } from '../http/body-limits.js';
import { EventBroker } from '../http/event-broker.js';
import { EventStreams } from '../http/event-stream.js';
import { createProxyTest } from '../http/client-address.js';
import { RateLimiter } from '../http/rate-limit.js';
import { Rasterizer } from '../content/raster/rasterizer.js';
import { PagePasswords } from '../pages/page-password.js';
import { RenderPool } from '../status-page/themes/render-pool.js';
import type { CommandRunner } from './command-runner.js';
import { Monitoring } from './monitoring/monitoring.js';
import { type OpenChannels, openChannels } from './open-channels.js';
import type { Shutdown } from './shutdown.js';

export interface ServiceOptions {
  /** In place of what the settings would open; both are closed with the service. */
  database?: Database;
  channels?: OpenChannels;
  /** In place of what the service measures and what its database has. */
  load?: Pick<AdmissionOptions, 'connections'>;
  /** In place of half a minute. */
  bodyLimitOptions?: Partial<BodyLimitOptions>;
  /** Runs the commands that arrive at the data directory of an embedded database. */
  runCommand?: CommandRunner;
  /** Prints what takes long at a first start, and at the first after an upgrade. */
  report?: (text: string) => void;
  /** Ends the process at once, without writing to the database. */
  fail?: (error: Error) => void;
}

/** What the public pages, the APIs and the background work of a service share; nothing of it needs the database. */
export interface ServiceParts {
  settings: Settings;
  log: Logger;
  shutdown: Shutdown;
  publicUrl: PublicUrl;
  consoleUrl: PublicUrl;
  monitoring: Monitoring;
  channels: OpenChannels;
  rateLimiter: RateLimiter;
  admission: Admission;
  bodyLimits: BodyLimits;
  broker: EventBroker;
  renderPool: RenderPool;
  rasterizer: Rasterizer;
  passwords: PagePasswords;
  upstreams: UpstreamReader;
}

export function createServiceParts(
  settings: Settings,
  log: Logger,
  shutdown: Shutdown,
  options: Pick<ServiceOptions, 'channels' | 'load' | 'bodyLimitOptions'>,
): ServiceParts {
  const monitoring = new Monitoring(log);
  const renderPool = new RenderPool();
  shutdown.addResource(() => renderPool.shutdown());
  const rasterizer = new Rasterizer();
  shutdown.addResource(() => rasterizer.shutdown());
  const channels = options.channels ?? openChannels(settings, monitoring.onAttempt, monitoring.onFailing);
  shutdown.addResource(() => channels.close());
  const rateLimiter = new RateLimiter(settings, log);
  return {
    settings,
    log,
    shutdown,
    publicUrl: parsePublicUrl(settings),
    consoleUrl: parseConsoleUrl(settings),
    monitoring,
    channels,
    rateLimiter,
    admission: new Admission({
      maxRequests: settings.maxRequests,
      connections: settings.databaseUrl ? settings.databaseConnections : embeddedConnections,
      isEmbedded: !settings.databaseUrl,
      ...options.load,
    }),
    bodyLimits: new BodyLimits(options.bodyLimitOptions),
    broker: new EventBroker(createEventStreams(settings, rateLimiter), log),
    renderPool,
    rasterizer,
    passwords: new PagePasswords(),
    upstreams: createUpstreamReader(settings),
  };
}

function createEventStreams(
  { maxConnections, maxConnectionsPerAddress, trustedProxies }: Settings,
  rateLimiter: RateLimiter,
): EventStreams {
  const isProxy = createProxyTest(trustedProxies);
  return new EventStreams({
    max: Math.ceil(maxConnections / 2),
    maxPerAddress: maxConnectionsPerAddress,
    clientAddress: request => {
      const address = rateLimiter.clientAddress(request);
      return !address || isProxy(address) ? null : address;
    },
  });
}
