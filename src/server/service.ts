import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp, createHttpServer, respondUnavailable } from './app.js';
import { type OpenChannels, openChannels } from './open-channels.js';
import { parseConsoleUrl, parseHosts, parsePublicUrl, type Settings } from '../core/config.js';
import { KeyedQueue } from '../core/keyed-queue.js';
import { ChangeFeed } from '../db/change-feed/change-feed.js';
import { migrate } from '../db/migrate.js';
import type { Database } from '../db/connection.js';
import { PageVersions } from '../db/page-versions.js';
import type { ExternalServices } from '../graphql/context.js';
import { formatError } from '../graphql/errors.js';
import { createGraphqlServer } from '../graphql/server.js';
import { TrustedDocuments } from '../graphql/trusted-documents.js';
import { RecordSubscriptions, sessionPrefix } from '../graphql/subscriptions/record-subscriptions.js';
import { restSchema, schema } from '../schema.js';
import { startNoticeAutomation } from '../notices/automation/notice.automation.js';
import { startDomainPolling } from '../custom-domain/custom-domain.automation.js';
import { createDnsClient } from '../custom-domain/dns-query.js';
import { Admission, type AdmissionOptions } from '../http/admission.js';
import { AnonymousResponses } from '../http/anonymous-responses.js';
import { createProxyTest } from '../http/client-address.js';
import { Connections } from '../http/connections.js';
import { EventBroker } from '../http/event-broker.js';
import { EventStreams } from '../http/event-stream.js';
import { createHostRules } from '../http/host-header.js';
import { createCallerIdentification } from '../http/identify-caller.js';
import { RateLimiter } from '../http/rate-limit.js';
import { Revalidator } from '../http/revalidation.js';
import { Monitoring } from './monitoring.js';
import type { CommandRunner } from './command-runner.js';
import { openWhenAvailable } from './open-when-available.js';
import { checkDatabase, checkDiskSpace, checkMigrations, checkTasks, type ReadinessCheck } from './readiness.js';
import { Shutdown } from './shutdown.js';
import { createLogger } from '../core/logger.js';
import { DiskSnapshots } from '../status-page/server/disk-snapshots.js';
import { BackgroundSender } from '../status-page/subscribe/background-sender.js';
import { PrivatePageGate } from '../status-page/private/gate.js';
import { SubscribeHandler } from '../status-page/subscribe/subscribe-handler.js';
import { createAppearanceRenderer } from '../status-page/server/appearance-preview.js';
import { PageLoader } from '../status-page/server/page-loader.js';
import { createPublicPageReader } from '../status-page/server/public-page.js';
import { createPreviewLoader } from '../status-page/server/preview-page.js';
import { RenderPool } from '../status-page/themes/render-pool.js';
import { testTheme } from '../status-page/themes/test-render.js';
import { Rasterizer } from '../raster/rasterizer.js';
import { readValidityMs } from '../pages/response-validity.js';
import { startAuditRetention } from '../audit/audit-log.service.js';
import { composeSignInMail } from '../notifications/messages/operator-mails.js';
import { startExpiryPolling } from '../subscribers/subscriber.automation.js';
import { startNotifications } from './start-notifications.js';
import { unauthenticated } from '../core/errors.js';
import { Authenticator } from '../auth/authenticator.js';
import { createFirstAccess, type FirstAccess } from './first-access.js';

export interface Service {
  settings: Settings;
  server: Server;
  port: number;
  database: Database;
  authenticator: Authenticator;
  /** Only where the database was empty. */
  firstAccess?: FirstAccess;
  /** Has load balancers send no more requests, and waits for DRAIN_SECONDS until they do. Requests are still served. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** In place of what the settings would open; both are closed with the service. */
  database?: Database;
  channels?: OpenChannels;
  /** In place of what the service measures and what its database has. */
  load?: Pick<AdmissionOptions, 'connections'>;
  /** Runs the commands that arrive at the data directory of an embedded database. */
  runCommand?: CommandRunner;
  /** Prints what takes long at a first start, and at the first after an upgrade. */
  report?: (text: string) => void;
  /** Ends the process at once, without writing to the database. */
  fail?: (error: Error) => void;
}

/**
 * Builds and starts everything from the settings, in the order of its dependencies. `stop` stops it in the reverse
 * order. Nothing is shared with another service in the process.
 */
export async function createService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const log = options.database?.log ?? createLogger(settings.logLevel);
  const shutdown = new Shutdown();
  let isDraining = false;
  try {
    const snapshots = settings.databaseUrl ? new DiskSnapshots(join(settings.dataDir, 'pages'), log) : null;
    const publicUrl = parsePublicUrl(settings);
    const consoleUrl = parseConsoleUrl(settings);
    const renderPool = new RenderPool();
    shutdown.addResource(() => renderPool.shutdown());
    const rasterizer = new Rasterizer();
    shutdown.addResource(() => rasterizer.shutdown());
    const broker = new EventBroker(new EventStreams(Math.ceil(settings.maxConnections / 2)), log);
    const pages = new PageLoader({
      publicUrl,
      rootPage: settings.rootPage,
      log,
      diskSnapshots: snapshots,
      renderPool,
      rasterize: rasterizer.render,
      broker,
    });
    let handleRequest = respondUnavailable;
    const monitoring = new Monitoring(log);
    const { heartbeats, accessLog } = monitoring;
    const channels = options.channels ?? openChannels(settings, monitoring.onAttempt);
    shutdown.addResource(() => channels.close());
    const rateLimiter = new RateLimiter(settings, log);
    const admission = new Admission({
      maxRequests: settings.maxRequests,
      connections: settings.databaseUrl ? settings.databaseConnections : 1,
      ...options.load,
    });
    const subscribeHandler = new SubscribeHandler({ sender: channels.confirmationSender, rateLimiter, settings, log });
    const gate = new PrivatePageGate({ sender: channels.confirmationSender, rateLimiter, settings, consoleUrl, log });
    const connections = new Connections({ ...settings, isProxy: createProxyTest(settings.trustedProxies) });
    const server = createHttpServer(
      {
        pages,
        hosts: createHostRules(parseHosts(settings)),
        log,
        uncachedRoutes: subscribeHandler,
        gate,
        connections,
        rateLimiter,
        accessLog,
        metrics: monitoring.http,
      },
      (request, response) => handleRequest(request, response),
    );
    // While draining, a connection that is kept alive would hold its client here.
    server.prependListener('request', (_request, response) => {
      if (isDraining) response.shouldKeepAlive = false;
    });
    const listen = async () => {
      if (server.listening) return;
      await new Promise<void>((done, fail) => server.once('error', fail).listen(settings.port, settings.host, done));
      shutdown.addActivity(() => {
        broker.close();
        return closeServer(server);
      });
    };
    const database = options.database ?? (await openWhenAvailable(settings, log, options, shutdown, snapshots, listen));
    if (options.database) shutdown.addResource(() => database.close());
    shutdown.addResource(() => pages.close());
    await migrate(database, options.report);
    const documents = TrustedDocuments.load(settings.trustedDocuments, schema);
    const graphqlServer = createGraphqlServer(schema, log);
    await graphqlServer.start();
    shutdown.addResource(() => graphqlServer.stop());
    const feed = await ChangeFeed.open(database);
    shutdown.addResource(() => feed.close());
    await pages.open(database, feed);
    subscribeHandler.open(database);
    shutdown.addResource(() => subscribeHandler.close());
    const authenticator = new Authenticator(database, settings);
    gate.open(database, authenticator);
    shutdown.addResource(() => gate.close());
    const dns = { queryDns: createDnsClient(settings), baseHost: publicUrl.baseHost };
    if (settings.worker) shutdown.addActivity(startNotifications(database, settings, channels, heartbeats));
    if (settings.automation)
      shutdown.addActivity(
        startNoticeAutomation(database, heartbeats.expect('the automation')),
        startDomainPolling(database, dns),
        startExpiryPolling(database),
        ...(settings.auditRetentionDays ? [startAuditRetention(database, settings.auditRetentionDays)] : []),
      );
    const codeSender = new BackgroundSender(log);
    shutdown.addResource(() => codeSender.drain());
    const services: ExternalServices = {
      renderAppearance: createAppearanceRenderer(publicUrl, renderPool, database.read),
      testTheme: theme => testTheme(renderPool, theme),
      rasterize: rasterizer.render,
      sendTestMessage: channels.sendImmediately,
      preview: {
        query: (text, values) => database.queryPrepared(text, values),
        loadPage: createPreviewLoader(publicUrl),
        yieldToWrites: () => admission.yieldToNoticeWrites(),
        queue: new KeyedQueue(),
      },
      queryDns: dns.queryDns,
      readPublicPage: createPublicPageReader(publicUrl),
      sendSignInCode: (to, code) =>
        codeSender.enqueue(() =>
          channels.confirmationSender.sendMail(composeSignInMail(to, code, consoleUrl.origin)), async () => {}, [
          20, 60,
        ]),
    };
    const subscriptions = new RecordSubscriptions({
      broker,
      database,
      feed,
      authenticate: async authorization => {
        if (!authorization.startsWith(sessionPrefix)) return authenticator.authenticate(authorization, true);
        const caller = await authenticator.checkSession(authorization.slice(sessionPrefix.length));
        if (!caller) throw unauthenticated();
        return caller;
      },
      formatError: error => formatError(log, { message: '' }, error),
    });
    shutdown.addResource(() => subscriptions.close());
    const identifyCaller = createCallerIdentification({
      authenticator,
      settings,
      rateLimiter,
      admission,
      onIdentified: (request, caller) => accessLog.setCaller(request, caller),
    });
    const revalidator = new Revalidator({
      versions: new PageVersions(database),
      readValidityMs: pageIds => readValidityMs(database, pageIds),
    });
    const api = {
      schema: restSchema,
      database,
      settings,
      rateLimiter,
      admission,
      authenticator,
      identifyCaller,
      services,
      anonymousResponses: new AnonymousResponses(),
      revalidator,
      documents,
    };
    const readiness: ReadinessCheck[] = [
      () => (isDraining ? 'stopping' : null),
      () => checkDatabase(database),
      () => checkDiskSpace(database),
      () => checkMigrations(database),
      () => checkTasks(heartbeats),
    ];
    const sources = { database, feed, store: pages.store, renderPool, admission, rateLimiter, connections };
    const metrics = monitoring.createMetrics(sources);
    handleRequest = createApp(api, graphqlServer, { broker, subscriptions }, { readiness, metrics });
    await listen();
    const drain = async () => {
      isDraining = true;
      await wait(settings.drainSeconds * 1_000, undefined, { ref: false });
    };
    const stop = () => shutdown.run();
    const { port } = server.address() as AddressInfo;
    // Last, because it is printed only once, and a start that fails afterwards would not print it.
    const firstAccess = settings.bootstrapToken ? undefined : await createFirstAccess(database, settings);
    return { settings, server, port, database, authenticator, firstAccess, drain, stop };
  } catch (error) {
    await shutdown.run().catch(() => {});
    throw error;
  }
}

/**
 * Closes the server. Requests in progress get 5 seconds: Node's own timeouts do not apply to a server that is closing,
 * so that an idle client would keep it open forever.
 */
function closeServer(server: Server): Promise<unknown> {
  setTimeout(() => server.closeAllConnections(), 5_000).unref();
  return new Promise(done => server.close(done).closeIdleConnections());
}
