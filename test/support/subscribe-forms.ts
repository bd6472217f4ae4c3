import './configured-channels.js';
import { log } from '../../src/core/logger.js';
import type { DirectMail, DirectSender, DirectSms } from '../../src/subscribers/confirmation-sender.js';
import { type TestService, startTestService } from './service.js';
import { type Seen, visit } from './visitor.js';

/** A page that people can subscribe to, as its visitors and its operator see it; what would have been sent is kept. */
export interface PublicPage {
  service: TestService;
  id: string;
  mails: DirectMail[];
  messages: DirectSms[];
  /** While true, nothing is taken by the other side. */
  refuse: { all: boolean };
  get(path: string, options?: { headers?: Record<string, string> }): Promise<Seen>;
  post(path: string, fields?: Record<string, string | string[]>, headers?: Record<string, string>): Promise<Seen>;
  /** A body as it is. */
  raw(path: string, body: string, type: string): Promise<Seen>;
  /** On the page's own host by default; `path` is what stands before the addresses there. */
  at(host: string, path: string): Pick<PublicPage, 'get' | 'post' | 'send'>;
  send(method: string, path: string): Promise<Seen>;
  /** When what was promised to be sent is sent. */
  sent(count: number): Promise<void>;
  /** When it is so; fails where it does not come to be. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
  rows<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Every caller and recipient may ask again: as if a day had passed. */
  forgetRequests(): Promise<void>;
}

export async function startPublicPage({
  name = 'Meridian Freight',
  through,
}: {
  name?: string;
  through?: DirectSender;
} = {}): Promise<PublicPage> {
  const mails: DirectMail[] = [];
  const messages: DirectSms[] = [];
  const refuse = { all: false };
  const taking = async (take: () => void) => {
    if (refuse.all) throw Object.assign(new Error('550 no such user <secret@example.com>'), { responseCode: 550 });
    take();
  };
  const sender: DirectSender = through ?? {
    sendMail: mail => taking(() => mails.push(mail)),
    sendSms: sms => taking(() => messages.push(sms)),
  };
  // What was not taken is said by what the tests ask for.
  log.level = 'error';
  const service = await startTestService({ sender });
  const { id } = (await service.post('/v1/pages', { name })).json.response;
  const at: PublicPage['at'] = (host, path) => ({
    get: (rest, options) => visit(service.url, host, `${path}${rest}`, options),
    send: (method, rest) => visit(service.url, host, `${path}${rest}`, { method }),
    post: (rest, fields = {}, headers = {}) =>
      visit(service.url, host, `${path}${rest}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: formBody(fields),
      }),
  });
  const until: PublicPage['until'] = async isSo => {
    const last = Date.now() + 5_000;
    while (!(await isSo())) {
      if (Date.now() > last)
        throw new Error(`It did not come to be so: ${isSo}; sent: ${mails.length} mails, ${messages.length} SMS`);
      await new Promise(done => setTimeout(done, 5));
    }
  };
  return {
    ...{ service, id, mails, messages, refuse, at },
    ...at(`${id}.localhost`, '/'),
    raw: (path, body, type) =>
      visit(service.url, `${id}.localhost`, `/${path}`, { method: 'POST', headers: { 'content-type': type }, body }),
    until,
    sent: count => until(() => mails.length + messages.length >= count),
    rows: (sql, values) => service.database.query(sql, values),
    forgetRequests: async () => void (await service.database.query('delete from subscription_request')),
  };
}

export function formBody(fields: Record<string, string | string[]>): string {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one])),
  ).toString();
}

/** The path of the first link to an address of the page in a text. */
export function linkIn(text: string, name: string): string {
  const found = new RegExp(`https?://[^\\s"]*?/((?:${name})/[^\\s"<]+)`).exec(text);
  if (!found) throw new Error(`no link to ${name} in: ${text}`);
  return found[1]!;
}
