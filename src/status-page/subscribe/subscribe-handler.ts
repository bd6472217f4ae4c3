import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { refusalOf } from '../../db/database-errors.js';
import type { Database } from '../../db/connection.js';
import { log } from '../../core/logger.js';
import { locales } from '../../i18n/locales.js';
import type { DirectSender } from '../../subscribers/confirmation-sender.js';
import { signingKey } from '../../subscribers/signing-key.service.js';
import { clientAddress } from '../../http/rate-limit.js';
import type { DynamicPages, DynamicRequest } from '../server/uncached-response.js';
import type { Drawing } from '../server/public-route.js';
import { canvasOf } from '../html/render-context.js';
import { readForm } from './form-body.js';
import { confirm } from './confirm.js';
import { Outbox } from './background-sender.js';
import { preferences } from './preferences.js';
import { away } from './form-page.js';
import { subscribe } from './subscribe.js';
import { unsubscribe } from './unsubscribe.js';
import type { Handler, Visit } from './subscribe-request.js';

/** Every address at which a visitor can do something. Behind the last three stands a signed token, or nothing. */
const handlers: Record<string, Handler> = { subscribe, confirm, unsubscribe, preferences };

/** Where people subscribe, confirm, choose and leave. */
export class People implements DynamicPages {
  private readonly outbox = new Outbox();
  private database: Database | null = null;

  constructor(private readonly sender: DirectSender) {}

  open(database: Database): void {
    this.database = database;
  }

  /** What was promised to be sent is sent. */
  async close(): Promise<void> {
    await this.outbox.settled();
  }

  has(path: string): boolean {
    const [name, ...rest] = path.split('/');
    return Object.hasOwn(handlers, name!) && rest.length <= (name === 'preferences' ? 2 : name === 'subscribe' ? 0 : 1);
  }

  async answer(request: IncomingMessage, asked: DynamicRequest): Promise<Drawing> {
    const { method } = request;
    if (method === 'OPTIONS') return plain(204, '', { Allow: allowed });
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return plain(405, `Only ${allowed} are known here.\n`, { Allow: allowed });
    const isPost = method === 'POST';
    const body = isPost ? await readForm(request) : { form: new URLSearchParams(), isOneClick: false };
    // What is left of a form that was too large is not read.
    if ('status' in body) return plain(body.status, body.sentence, { Connection: 'close' });
    const visit: Visit = { method: isPost ? 'POST' : 'GET', ...body, ...whereOf(asked), caller: callerOf(request) };
    if (asked.isAway || !this.database) return away(visit);
    try {
      const desk = {
        database: this.database,
        key: await signingKey(this.database),
        sender: this.sender,
        outbox: this.outbox,
      };
      return await handlers[asked.path.split('/')[0]!]!(visit, desk);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code === 'UNAVAILABLE' || refusal?.code === 'CONFLICT') return away(visit, refusal.retryAfter);
      // Messages of the database repeat values, and these are addresses of people.
      const { name, code, stack } = error as { name?: string; code?: string; stack?: string };
      log.error(
        { failure: { name, code, at: stack?.split('\n').filter(line => /^\s+at /.test(line)) } },
        'a page for subscribers failed',
      );
      return plain(500, 'An unknown error has occurred.\n');
    }
  }
}

const allowed = 'GET, HEAD, POST, OPTIONS';

const plain = (status: number, body: string, headers: Record<string, string> = {}): Drawing => ({
  type: 'text/plain; charset=utf-8',
  body,
  status,
  headers,
});

function whereOf({
  path,
  parameters,
  site,
  place,
}: DynamicRequest): Pick<Visit, 'path' | 'token' | 'parameters' | 'canvas'> {
  const wanted = parameters.get('lang')?.toLowerCase();
  const locale = locales.find(one => one.toLowerCase() === wanted) ?? null;
  const [, ...token] = path.split('/');
  return { path, token: token.join('/'), parameters, canvas: canvasOf(site.view(place, locale)) };
}

/** Of IPv6 the network: each of its customers has 2^64 addresses to ask from. */
export function callerOf(request: IncomingMessage): string {
  const address = clientAddress(request);
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
