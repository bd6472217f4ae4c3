import type { Settings } from '../../src/core/config.js';
import type {
  ChatLink,
  TransactionalMail,
  ConfirmationSender,
  TransactionalSms,
} from '../../src/subscribers/confirmation-sender.js';
import { createPage } from './factories.js';
import { type TestService, startTestService } from './service.js';
import { withChannels } from './settings.js';
import { type VisitorResponse, requestPage } from './visitor.js';

/** A page with subscribe forms, and clients for its visitors and operator. Messages are recorded instead of sent. */
export interface PublicPage {
  service: TestService;
  id: string;
  mails: TransactionalMail[];
  messages: TransactionalSms[];
  /** To chats. */
  links: ChatLink[];
  /** While `refusesAll` is true, every message fails with a permanent error. */
  provider: { refusesAll: boolean };
  get(path: string, options?: { headers?: Record<string, string> }): Promise<VisitorResponse>;
  post(
    path: string,
    fields?: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ): Promise<VisitorResponse>;
  /** Posts a raw body. */
  postBody(path: string, body: string, type: string): Promise<VisitorResponse>;
  /** A client for another host; `mount` is the path of the page there. */
  onHost(host: string, mount: string): Pick<PublicPage, 'get' | 'post' | 'send'>;
  send(method: string, path: string): Promise<VisitorResponse>;
  /** Waits until so many mails and text messages were sent. */
  waitForMessages(count: number): Promise<void>;
  /** Polls until the condition holds; fails after 5 s. */
  waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void>;
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Resets the rate caps of every client and recipient. */
  forgetRequests(): Promise<void>;
}

export async function startPublicPage({
  name = 'Meridian Freight',
  sender: givenSender,
  settings,
}: {
  name?: string;
  sender?: ConfirmationSender;
  settings?: Partial<Settings>;
} = {}): Promise<PublicPage> {
  const mails: TransactionalMail[] = [];
  const messages: TransactionalSms[] = [];
  const links: ChatLink[] = [];
  const provider = { refusesAll: false };
  const accept = async (record: () => void) => {
    if (provider.refusesAll)
      throw Object.assign(new Error('550 no such user <secret@example.com>'), { responseCode: 550 });
    record();
  };
  const sender: ConfirmationSender = givenSender ?? {
    sendMail: mail => accept(() => mails.push(mail)),
    sendSms: sms => accept(() => messages.push(sms)),
    postLink: link => accept(() => links.push(link)),
  };
  const service = await startTestService({ ...withChannels, ...settings }, { sender });
  const { id } = await createPage(service, { name });
  const onHost: PublicPage['onHost'] = (host, mount) => ({
    get: (path, options) => requestPage(service.url, host, `${mount}${path}`, options),
    send: (method, path) => requestPage(service.url, host, `${mount}${path}`, { method }),
    post: (path, fields = {}, headers = {}) =>
      requestPage(service.url, host, `${mount}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: encodeForm(fields),
      }),
  });
  const waitUntil: PublicPage['waitUntil'] = async (condition, timeoutMs = 5_000) => {
    const deadline = Date.now() + timeoutMs;
    while (!(await condition())) {
      if (Date.now() > deadline)
        throw new Error(`Timeout waiting for ${condition}; sent: ${mails.length} mails, ${messages.length} SMS`);
      await new Promise(done => setTimeout(done, 5));
    }
  };
  return {
    service,
    id,
    mails,
    messages,
    links,
    provider,
    onHost,
    ...onHost(`${id}.localhost`, '/'),
    postBody: (path, body, type) =>
      requestPage(service.url, `${id}.localhost`, `/${path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      }),
    waitUntil,
    waitForMessages: count => waitUntil(() => mails.length + messages.length + links.length >= count),
    query: (sql, values) => service.database.query(sql, values),
    forgetRequests: async () => void (await service.database.query('delete from subscription_request')),
  };
}

export function encodeForm(fields: Record<string, string | string[]>): string {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one])),
  ).toString();
}

/** The path of the first link in a text that begins with the given route. */
export function extractLink(text: string, route: string): string {
  const found = new RegExp(`https?://[^\\s"]*?/((?:${route})/[^\\s"<]+)`).exec(text);
  if (!found) throw new Error(`no link to ${route} in: ${text}`);
  return found[1]!;
}
