import type { RequestListener } from 'node:http';
import type { Authenticator } from '../auth/authenticator.js';
import type { Rasterize } from '../content/raster/rasterizer.js';
import { unauthenticated } from '../core/errors.js';
import { KeyedQueue } from '../core/queues/keyed-queue.js';
import type { RenderAppearance } from '../pages/branding/appearance.service.js';
import type { ThemeTest } from '../pages/branding/theme.service.js';
import type { DnsClient } from '../pages/custom-domain/dns-query.js';
import type { ReadPublicPage } from '../pages/public-page.js';
import type { DnsOptions } from '../pages/custom-domain/custom-domain.service.js';
import type { ChangeFeed } from '../db/change-feed.js';
import type { Database } from '../db/database.js';
import { PageVersions } from '../db/page-versions.js';
import type { ExternalServices } from '../graphql/context.js';
import { formatError } from '../graphql/errors.js';
import { createGraphqlServer } from '../graphql/server.js';
import { SubscriptionDocuments } from '../graphql/subscriptions/documents.js';
import { RecordSubscriptions, sessionPrefix } from '../graphql/subscriptions/record-subscriptions.js';
import { TrustedDocuments } from '../graphql/trusted-documents.js';
import { AnonymousResponses } from '../http/anonymous-responses.js';
import { createCallerIdentification } from '../http/identify-caller.js';
import { IdempotentRequests } from '../http/idempotency.service.js';
import type { SendImmediately } from '../notifications/page-channels/page-channel.service.js';
import type { PreviewServices } from '../notifications/preview/preview.service.js';
import { composeSignInMail } from '../notifications/messages/operator-mails.js';
import { restSchema, schema } from '../schema.js';
import type { ReadMonthReports } from '../status-page/reports/report-period.js';
import { readMonthReports } from '../status-page/reports/load-reports.js';
import { createAppearanceRenderer } from '../status-page/server/appearance-preview.js';
import { createPreviewLoader } from '../status-page/server/preview-page.js';
import { createPublicPageReader } from '../status-page/server/public-page.js';
import { BackgroundSender } from '../status-page/subscribe/background-sender.js';
import { testTheme } from '../status-page/themes/test-render.js';
import { createThemeTries, type TryInTurn } from '../pages/branding/theme-tries.js';
import type { PagePasswords } from '../pages/page-password.js';
import type { UpstreamReader } from '../components/upstream/read-upstream.js';
import { createApp } from './app.js';
import type { HealthDependencies } from './health.js';
import type { ServiceParts } from './service-parts.js';

declare module '../graphql/context.js' {
  interface ExternalServices {
    passwords: PagePasswords;
    preview: PreviewServices;
    queryDns: DnsClient;
    rasterize: Rasterize;
    readMonthReports: ReadMonthReports;
    readPublicPage: ReadPublicPage;
    renderAppearance: RenderAppearance;
    sendTestMessage: SendImmediately;
    /** Sends a mail with a code after the response, whose time does not depend on it. */
    sendSignInCode(to: string, code: string): void;
    testTheme: ThemeTest;
    /** For what is rendered by `renderAppearance` and `testTheme`. */
    tryInTurn: TryInTurn;
    upstreams: UpstreamReader;
  }
}

/** What the APIs need once the database is open. */
interface ApiOptions extends Pick<HealthDependencies, 'lifecycle' | 'readiness' | 'metrics'> {
  database: Database;
  feed: ChangeFeed;
  authenticator: Authenticator;
  dns: DnsOptions;
}

/** Builds both APIs, the health checks and the console. Returns the handler of everything but the public pages. */
export async function openApi(parts: ServiceParts, options: ApiOptions): Promise<RequestListener> {
  const { settings, log, shutdown, monitoring, rateLimiter, admission, broker } = parts;
  const { database, feed, authenticator, lifecycle, readiness, metrics } = options;
  const documents = TrustedDocuments.load(settings.trustedDocuments, schema);
  const graphqlServer = createGraphqlServer(schema, log);
  await graphqlServer.start();
  shutdown.addResource(() => graphqlServer.stop());
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
    onIdentified: (request, caller) => monitoring.accessLog.setCaller(request, caller),
  });
  const api = {
    schema: restSchema,
    database,
    settings,
    rateLimiter,
    admission,
    bodyLimits: parts.bodyLimits,
    authenticator,
    identifyCaller,
    services: createExternalServices(parts, options),
    anonymousResponses: new AnonymousResponses(new PageVersions(database)),
    idempotentRequests: new IdempotentRequests(database),
    documents,
  };
  const eventDependencies = { broker, subscriptions, documents: new SubscriptionDocuments(schema) };
  return createApp(api, graphqlServer, eventDependencies, { lifecycle, readiness, metrics });
}

/** What resolvers use of the status page, the channels and DNS. */
function createExternalServices(parts: ServiceParts, { database, dns }: ApiOptions): ExternalServices {
  const { log, shutdown, publicUrl, consoleUrl, channels, admission, renderPool, rasterizer, passwords, upstreams } =
    parts;
  const codeSender = new BackgroundSender(log);
  shutdown.addResource(() => codeSender.drain());
  return {
    renderAppearance: createAppearanceRenderer(publicUrl, renderPool, database.read),
    testTheme: theme => testTheme(renderPool, theme),
    tryInTurn: createThemeTries(),
    rasterize: rasterizer.render,
    passwords,
    upstreams,
    sendTestMessage: channels.sendImmediately,
    preview: {
      query: (text, values) => database.queryPrepared(text, values),
      loadPage: createPreviewLoader(publicUrl),
      yieldToWrites: () => admission.yieldToNoticeWrites(),
      queue: new KeyedQueue(),
    },
    queryDns: dns.queryDns,
    readPublicPage: createPublicPageReader(publicUrl),
    readMonthReports,
    sendSignInCode: (to, code) => {
      const send = () => channels.confirmationSender.sendMail(composeSignInMail(to, code, consoleUrl.origin));
      return codeSender.enqueue(send, async () => {}, [20, 60]);
    },
  };
}
