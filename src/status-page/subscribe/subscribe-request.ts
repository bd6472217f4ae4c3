import type { Settings } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import type { ConfirmationSender } from '../../subscribers/confirmation-sender.js';
import type { RefusedRequests } from '../../subscribers/refused-requests.js';
import type { RenderedResponse } from '../routing/public-route.js';
import type { RenderContext } from '../html/render-context.js';
import type { BackgroundSender } from './background-sender.js';

/** A parsed request for one of the subscribe pages. */
export interface SubscribeRequest {
  /** GET never changes anything, since mail scanners follow links. POST does. */
  method: 'GET' | 'POST';
  /** Relative to the mount of the page. */
  path: string;
  /** The rest of the path after its first segment: a signed token, or ''. */
  token: string;
  parameters: URLSearchParams;
  form: URLSearchParams;
  /** Sent by the unsubscribe button of a mail client, which shows no response (RFC 8058). */
  isOneClick: boolean;
  /** For rate caps: the IPv4 address or IPv6 /48 network of the client. */
  clientNetwork: string;
  context: RenderContext;
}

/** The dependencies of the handlers. */
export interface SubscribeDependencies {
  database: Database;
  signingKey: Buffer;
  /** For links of the page. */
  linkKey: Buffer;
  sender: ConfirmationSender;
  backgroundSender: BackgroundSender;
  refusedRequests: RefusedRequests;
  settings: Pick<Settings, 'smsCodesPerDay' | 'secretsKey' | 'allowPrivateTargets'>;
}

export type Handler = (request: SubscribeRequest, deps: SubscribeDependencies) => Promise<RenderedResponse>;
