import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasPostgresPrograms, startPostgresServer } from './postgres-server.js';

/** Whether this machine has a PostgreSQL, and the program that signs certificates. */
export const canServeTls = hasPostgresPrograms && spawnSync('openssl', ['version']).status === 0;

export interface TlsServer {
  port: number;
  /** Of the certificate authority of the server and of clients, and of one that signed neither. */
  authority: string;
  otherAuthority: string;
  /** Of the user all_clear. */
  clientCertificate: string;
  clientKey: string;
  /** Restarts the server with other lines in pg_hba.conf, and with TLS or without. */
  configure(options: { ssl: boolean; rules: readonly string[] }): void;
  stop(): void;
}

/** A PostgreSQL of its own whose certificate is for `localhost`, not for 127.0.0.1. */
export async function startTlsServer(): Promise<TlsServer> {
  const { folder, data, port, restart, stop } = await startPostgresServer();
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  for (const name of ['authority', 'other'])
    openssl('req', '-x509', ...newKey, '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`), '-subj', `/CN=${name}`);
  const sign = (name: string, subject: string, extension: string) =>
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      at(`${name}.key`),
      '-out',
      at(`${name}.crt`),
      '-subj',
      subject,
      '-CA',
      at('authority.crt'),
      '-CAkey',
      at('authority.key'),
      '-addext',
      extension,
    );
  sign('server', '/CN=localhost', 'subjectAltName=DNS:localhost');
  sign('client', '/CN=all_clear', 'extendedKeyUsage=clientAuth');

  // PostgreSQL reads a key of its own user only.
  const { uid, gid } = statSync(data);
  for (const name of ['server.key', 'server.crt', 'authority.crt']) {
    copyFileSync(at(name), join(data, name));
    chmodSync(join(data, name), 0o600);
    chownSync(join(data, name), uid, gid);
  }
  return {
    port,
    authority: at('authority.crt'),
    otherAuthority: at('other.crt'),
    clientCertificate: at('client.crt'),
    clientKey: at('client.key'),
    configure({ ssl, rules }) {
      writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
      appendFileSync(join(data, 'postgresql.conf'), `ssl = ${ssl ? 'on' : 'off'}\nssl_ca_file = 'authority.crt'\n`);
      restart();
    },
    stop,
  };
}
