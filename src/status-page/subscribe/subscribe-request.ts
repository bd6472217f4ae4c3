import type { Database } from '../../db/connection.js';
import type { DirectSender } from '../../subscribers/confirmation-sender.js';
import type { Drawing } from '../server/public-route.js';
import type { Canvas } from '../html/render-context.js';
import type { Outbox } from './background-sender.js';

/** One request for a page that does something. */
export interface Visit {
  /** GET shows, and never does anything: programs that scan mail follow links. POST acts. */
  method: 'GET' | 'POST';
  /** Below the place of the page. */
  path: string;
  /** What stands behind the name of the address: a signed token, if anything. */
  token: string;
  parameters: URLSearchParams;
  form: URLSearchParams;
  /** Sent by a mail program at the press of a button in it, and read by nobody (RFC 8058). */
  isOneClick: boolean;
  /** The network address that asks. */
  caller: string;
  canvas: Canvas;
}

/** What acting takes. */
export interface Desk {
  database: Database;
  key: Buffer;
  sender: DirectSender;
  outbox: Outbox;
}

export type Handler = (visit: Visit, desk: Desk) => Promise<Drawing>;
