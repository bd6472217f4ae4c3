import type { IncomingMessage } from 'node:http';
import { EventLoopTurns } from '../../core/queues/event-loop-turns.js';
import { toRefusal } from '../../db/database-errors.js';
import type { Database } from '../../db/database.js';
import type { Logger } from '../../core/logger.js';
import { findLocale } from '../../i18n/locales.js';
import type { ConfirmationSender } from '../../subscribers/confirmation-sender.js';
import { RefusedRequests } from '../../subscribers/refused-requests.js';
import { cacheLinkKeys } from '../../auth/link-key.service.js';
import { cacheSigningKey } from '../../auth/signing-key.service.js';
import { customerPrefix, toClientNetwork } from '../../http/client-address.js';
import type { RateLimiter } from '../../http/rate-limit.js';
import { RenderQueue } from '../server/render-queue.js';
import type { UncachedRoutes, UncachedRequest, UncachedResponse } from '../server/uncached-response.js';
import { renderText } from '../routing/responses.js';
import { createRenderContext } from '../html/render-context.js';
import { readFormBody } from './form-body.js';
import { handleConfirm } from './confirm.js';
import { BackgroundSender } from './background-sender.js';
import { handlePreferences } from './preferences.js';
import { renderUnavailable } from './form-page.js';
import { handleSubscribe } from './subscribe.js';
import { handleUnsubscribe } from './unsubscribe.js';
import type { Handler, SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';
import { handleWebhook } from './webhook-links.js';

/** By the first segment of the path. The segments after it are a signed token. */
const routes: Record<string, { handle: Handler; maxTokenSegments: number }> = {
  subscribe: { handle: handleSubscribe, maxTokenSegments: 0 },
  confirm: { handle: handleConfirm, maxTokenSegments: 1 },
  unsubscribe: { handle: handleUnsubscribe, maxTokenSegments: 1 },
  preferences: { handle: handlePreferences, maxTokenSegments: 2 },
  webhook: { handle: handleWebhook, maxTokenSegments: 2 },
};

/** Submitted forms are counted one after the other, with a connection of the database each. */
const maxPostsInProgress = 40;
const maxPostsOfPage = 20;

interface SubscribeHandlerOptions {
  sender: ConfirmationSender;
  rateLimiter: Pick<RateLimiter, 'clientAddress'>;
  settings: SubscribeDependencies['settings'];
  log: Logger;
}

/** Serves the pages on which visitors subscribe, confirm, change their preferences and unsubscribe. */
export class SubscribeHandler implements UncachedRoutes {
  private readonly backgroundSender: BackgroundSender;
  /** A form with a thousand components takes 30 ms of the thread for all pages. */
  private readonly queue = new RenderQueue();
  /** One that was sent with errors is rendered again at once. */
  private readonly turns = new EventLoopTurns();
  private readonly refusedRequests = new RefusedRequests();
  /** The ids of their pages. */
  private readonly postsInProgress: string[] = [];
  private database: Database | null = null;
  private loadKey!: () => Promise<Buffer>;
  private loadLinkKey!: (pageId: string) => Promise<Buffer>;

  constructor(private readonly options: SubscribeHandlerOptions) {
    this.backgroundSender = new BackgroundSender(options.log);
  }

  open(database: Database): void {
    this.database = database;
    this.loadKey = cacheSigningKey(database);
    this.loadLinkKey = cacheLinkKeys(database);
  }

  /** Waits until queued messages are sent. */
  async close(): Promise<void> {
    await this.backgroundSender.drain();
  }

  matches(path: string): boolean {
    const [name, ...rest] = path.split('/');
    return Object.hasOwn(routes, name!) && rest.length <= routes[name!]!.maxTokenSegments;
  }

  async respond(message: IncomingMessage, target: UncachedRequest): Promise<UncachedResponse> {
    const { method } = message;
    if (method === 'OPTIONS') return renderText(204, '', { Allow: allowedMethods });
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return renderText(405, `Use ${allowedMethods}.\n`, { Allow: allowedMethods });
    const isPost = method === 'POST';
    const body = isPost ? await readFormBody(message) : { form: new URLSearchParams(), isOneClick: false };
    // Closes the connection, so that the rest of an oversized form is not read.
    if ('status' in body) return renderText(body.status, body.message, { Connection: 'close' });
    const request: SubscribeRequest = {
      method: isPost ? 'POST' : 'GET',
      ...body,
      ...toRequestContext(target),
      clientNetwork: toClientNetwork(this.options.rateLimiter.clientAddress(message), customerPrefix),
    };
    if (target.isDatabaseUnavailable || !this.database) return renderUnavailable(request);
    const { id } = target.generation;
    if (isPost && this.isFull(id))
      return renderText(503, 'Too many forms are being processed. Try again in a moment.\n', { 'Retry-After': '1' });
    if (isPost) this.postsInProgress.push(id);
    try {
      const deps = {
        database: this.database,
        signingKey: await this.loadKey(),
        linkKey: await this.loadLinkKey(id),
        sender: this.options.sender,
        settings: this.options.settings,
        backgroundSender: this.backgroundSender,
        refusedRequests: this.refusedRequests,
      };
      const { handle } = routes[target.path.split('/')[0]!]!;
      // Links that were mailed do not wait for empty forms, of which anybody may ask for many. What is sent has a limit
      // of its own: thousands may unsubscribe after a mail, each with some statements that wait for the database.
      if (isPost) await this.turns.take();
      const response = isPost
        ? await handle(request, deps)
        : await this.queue.run(id, request.token ? 'common' : 'variant', () => handle(request, deps));
      return { ...response, isSameForAll: !isPost && !request.token };
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal?.code === 'UNAVAILABLE' || refusal?.code === 'CONFLICT')
        return renderUnavailable(request, refusal.details.retryAfter);
      // Omits the message: database errors repeat values, here addresses of subscribers.
      const { name, code, stack } = error as { name?: string; code?: string; stack?: string };
      this.options.log.error(
        { failure: { name, code, at: stack?.split('\n').filter(line => /^\s+at /.test(line)) } },
        'a subscribe page failed',
      );
      return renderText(500, 'An unknown error has occurred.\n');
    } finally {
      if (isPost) this.postsInProgress.splice(this.postsInProgress.indexOf(id), 1);
    }
  }

  private isFull(pageId: string): boolean {
    const { postsInProgress: posts } = this;
    return posts.length >= maxPostsInProgress || posts.filter(id => id === pageId).length >= maxPostsOfPage;
  }
}

const allowedMethods = 'GET, HEAD, POST, OPTIONS';

function toRequestContext({
  path,
  parameters,
  generation,
  mountType,
}: UncachedRequest): Pick<SubscribeRequest, 'path' | 'token' | 'parameters' | 'context'> {
  const [, ...tokenSegments] = path.split('/');
  return {
    path,
    token: tokenSegments.join('/'),
    parameters,
    context: createRenderContext(generation.getView(mountType, findLocale(parameters.get('lang')))),
  };
}
