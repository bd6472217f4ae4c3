import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { findFreePort } from '../../support/process.js';
import { useOwnService } from '../../support/service.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const hasCaddy = spawnSync('caddy', ['version']).status === 0;

(hasCaddy ? describe : describe.skip)('Caddy with deploy/Caddyfile', () => {
  const service = useOwnService({ publicUrl: 'https://status.example.com' });
  const domain = 'status.meridian.example';
  let pageHost: string;
  let folder: string;
  let port: number;
  let caddy: ChildProcess;
  beforeAll(async () => {
    const { id, path } = await createPage(service, { name: 'Meridian' });
    pageHost = `${id}.status.example.com`;
    await service.post(`${path}/custom_domain`, { domain });
    await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [id]);
    folder = mkdtempSync(join(tmpdir(), 'all-clear-caddy-'));
    port = await findFreePort();
    // Certificates of an authority of its own, and ports that need no rights.
    const options = `local_certs\n\tskip_install_trust\n\tadmin off\n\thttps_port ${port}\n\thttp_port ${await findFreePort()}`;
    const file = join(folder, 'Caddyfile');
    writeFileSync(
      file,
      readFileSync('deploy/Caddyfile', 'utf8').replace('on_demand_tls', `${options}\n\ton_demand_tls`),
    );
    const upstream = service.url.replace('http://', '');
    const env = { ...process.env, HOME: folder, PUBLIC_URL: 'https://status.example.com', UPSTREAM: upstream };
    execFileSync('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'pipe' });
    caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  });
  afterAll(async () => {
    caddy.kill();
    await once(caddy, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  /** The names of the certificate and the body; the code of the error where there is no connection. */
  const get = (host: string) =>
    new Promise<{ names?: string; body: string }>(resolve => {
      const options = { host: '127.0.0.1', port, servername: host, headers: { host }, rejectUnauthorized: false };
      request({ ...options, path: '/' }, response => {
        const names = (response.socket as TLSSocket).getPeerCertificate().subjectaltname;
        let body = '';
        response.setEncoding('utf8').on('data', chunk => (body += chunk));
        response.on('end', () => resolve({ names, body }));
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve({ body: error.code! }))
        .end();
    });

  test('serves the host of a page below the base host, whose links lead there', async () => {
    await waitUntilEqual(async () => (await get(pageHost)).names, `DNS:${pageHost}`);
    expect((await get(pageHost)).body).toContain('Meridian');
  });

  test('serves a custom domain with a certificate of its own, and no other name', async () => {
    await waitUntilEqual(async () => (await get(domain)).names, `DNS:${domain}`);
    expect((await get(domain)).body).toContain('Meridian');
    for (const host of ['other.example', '00000000.status.example.com'])
      expect(await get(host)).toEqual({ body: expect.stringMatching(/^(ERR_SSL_|EPROTO|ECONNRESET)/) });
  });
});
