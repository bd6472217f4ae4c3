import type { Client, Pool } from 'pg';
import { createClient } from './pool-options.js';

/**
 * Calls `onNotification` for each notification of a channel. Notifications are lost while the connection is, so a
 * listener that needs them all must also poll: `onLost` is called when the connection is lost.
 */
export type Listen = (channel: string, onNotification: (payload: string) => void, onLost?: () => void) => Listening;

export interface Listening {
  /** Runs a statement on the listening connection, which never waits for a connection of the pool. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): void;
}

/** Short, since of several servers each is tried in turn, and requests are refused meanwhile. */
const reconnectDelayMs = 100;
const connectTimeoutMs = 2_000;
/** The change feed asks twice a second, so that a silent connection is replaced soon. */
const queryTimeoutMs = 5_000;

/** On the embedded database there is no other process to hear from. */
export const listenToNobody: Listen = () => ({ query: async () => [], stop() {} });

/**
 * Listens on one connection beside the pool, so that listening never takes a connection from queries. The connection is
 * open while there is a listener, and opened again when it is lost.
 */
export function createListener(pool: Pool): Listen {
  const listeners = new Set<{ channel: string; onNotification(payload: string): void; onLost?(): void }>();
  let client: Client | undefined;
  let connected: Promise<Client> = Promise.reject(new Error('not connected'));
  connected.catch(() => {});
  let timer: NodeJS.Timeout | undefined;

  const disconnect = () => {
    clearTimeout(timer);
    const previous = client;
    client = undefined;
    previous?.end().catch(() => {});
  };
  const reconnect = () => {
    disconnect();
    if (listeners.size) timer = setTimeout(connect, reconnectDelayMs);
  };
  const connect = () => {
    const created = createClient(pool, {
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
    });
    client = created;
    const onLost = () => {
      if (client !== created) return;
      reconnect();
      for (const listener of listeners) listener.onLost?.();
    };
    created.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners) if (listener.channel === channel) listener.onNotification(payload);
    });
    created.on('error', onLost);
    created.on('end', onLost);
    connected = created.connect().then(async () => {
      const channels = new Set([...listeners].map(({ channel }) => channel));
      await Promise.all([...channels].map(channel => created.query(`listen ${channel}`)));
      return created;
    });
    connected.catch(onLost);
  };

  return (channel, onNotification, onLost) => {
    const listener = { channel, onNotification, onLost };
    const isNewChannel = ![...listeners].some(other => other.channel === channel);
    listeners.add(listener);
    if (listeners.size === 1) connect();
    else if (isNewChannel) client?.query(`listen ${channel}`).catch(() => {});
    return {
      query: async <Row>(text: string, values: unknown[] = []) =>
        (await (await connected).query(text, values)).rows as Row[],
      stop: () => {
        listeners.delete(listener);
        if (!listeners.size) disconnect();
      },
    };
  };
}
