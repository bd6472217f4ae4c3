import type { Client, Pool } from 'pg';

/**
 * Calls `onNotification` for each notification of a channel, until the returned function is called. Notifications are
 * lost while the connection is, so a listener that needs them all must also poll.
 */
export type Listen = (channel: string, onNotification: (payload: string) => void) => () => void;

const reconnectDelayMs = 500;

/**
 * Listens on one connection beside the pool, so that listening never takes a connection from queries. The connection is
 * open while there is a listener, and opened again when it is lost.
 */
export function createListener(pool: Pool & { Client?: typeof Client }): Listen {
  const listeners = new Set<{ channel: string; onNotification(payload: string): void }>();
  let client: Client | undefined;
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
    // The class and the options with which the pool creates its own clients.
    const created = new pool.Client!(pool.options);
    client = created;
    const onLost = () => {
      if (client === created) reconnect();
    };
    created.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners) if (listener.channel === channel) listener.onNotification(payload);
    });
    created.on('error', onLost);
    created.on('end', onLost);
    created
      .connect()
      .then(() => {
        const channels = new Set([...listeners].map(({ channel }) => channel));
        return Promise.all([...channels].map(channel => created.query(`listen ${channel}`)));
      })
      .catch(onLost);
  };

  return (channel, onNotification) => {
    const listener = { channel, onNotification };
    const isNewChannel = ![...listeners].some(other => other.channel === channel);
    listeners.add(listener);
    if (listeners.size === 1) connect();
    else if (isNewChannel) client?.query(`listen ${channel}`).catch(() => {});
    return () => {
      listeners.delete(listener);
      if (!listeners.size) disconnect();
    };
  };
}
