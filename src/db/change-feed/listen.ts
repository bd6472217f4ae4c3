import type { Client, Pool } from 'pg';

/** Calls `heard` with what is notified, until the returned function is called. What is notified while the connection is lost is not heard: who needs it all asks too. */
export type Listen = (channel: string, heard: (payload: string) => void) => () => void;

const againAfterMilliseconds = 500;

/** All that a process hears comes by one connection beside the pool, so that listening never leaves fewer for asking. It is there while somebody listens, and taken anew when it is lost. */
export function listening(pool: Pool & { Client?: typeof Client }): Listen {
  const listeners = new Set<{ channel: string; heard(payload: string): void }>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const leave = () => {
    clearTimeout(timer);
    const left = client;
    client = undefined;
    left?.end().catch(() => {});
  };
  const lost = () => {
    leave();
    if (listeners.size) timer = setTimeout(connect, againAfterMilliseconds);
  };
  const connect = () => {
    // As the pool makes its own.
    const mine = new pool.Client!(pool.options);
    client = mine;
    const mineLost = () => {
      if (client === mine) lost();
    };
    mine.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners) if (listener.channel === channel) listener.heard(payload);
    });
    mine.on('error', mineLost);
    mine.on('end', mineLost);
    mine
      .connect()
      .then(() =>
        Promise.all(
          [...new Set([...listeners].map(({ channel }) => channel))].map(channel => mine.query(`listen ${channel}`)),
        ),
      )
      .catch(mineLost);
  };

  return (channel, heard) => {
    const listener = { channel, heard };
    const isNew = ![...listeners].some(other => other.channel === channel);
    listeners.add(listener);
    if (listeners.size === 1) connect();
    else if (isNew) client?.query(`listen ${channel}`).catch(() => {});
    return () => {
      listeners.delete(listener);
      if (!listeners.size) leave();
    };
  };
}
