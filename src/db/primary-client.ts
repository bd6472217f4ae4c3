import pg from 'pg';
import { Refusal } from '../core/errors.js';
import { copyConnection, type ServerConnection } from './server-connection.js';

/** Shorter than others wait for a connection of the pool: one that is silent must not fail them, too. */
const serverTimeoutMs = 1_000;

/**
 * Clients that connect to the one of several servers that accepts writes. One that is not reached, or is a standby,
 * fails the connection, and the next client of the pool tries the next server: pg knows one host only.
 */
export function createPrimaryClient(servers: readonly ServerConnection[]): typeof pg.Client {
  let index = 0;
  return class PrimaryClient extends pg.Client {
    private readonly server = servers[index]!;

    constructor(config: pg.ClientConfig) {
      super({ ...config, ...copyConnection(servers[index]!), connectionTimeoutMillis: serverTimeoutMs });
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.connectToPrimary();
      if (!callback) return connected;
      connected.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    private async connectToPrimary(): Promise<this> {
      // The pool listens from the end of the connect on: an error event without a listener ends the process.
      const ignore = () => {};
      this.on('error', ignore);
      try {
        await super.connect();
        const { rows } = await this.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
        if (rows[0]!.standby) throw new Refusal('UNAVAILABLE', `The database at ${this.host} is a standby.`);
        this.off('error', ignore);
        return this;
      } catch (error) {
        // Not a second time where another client has moved on.
        if (servers[index] === this.server) index = (index + 1) % servers.length;
        await this.end().catch(() => {});
        throw error;
      }
    }
  };
}
