import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { findFreePort } from '../../support/process.js';
import { type TestService, useOwnService } from '../../support/service.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const hasCaddy = spawnSync('caddy', ['version']).status === 0;

interface Caddy {
  port: number;
  end(): Promise<void>;
}

/** Starts Caddy by a Caddyfile, with certificates of an authority of its own and ports that need no rights. */
async function startCaddy(caddyfile: string, service: TestService): Promise<Caddy> {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-caddy-'));
  const port = await findFreePort();
  const options = `local_certs\n\tskip_install_trust\n\tadmin off\n\thttps_port ${port}\n\thttp_port ${await findFreePort()}`;
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, caddyfile.replace('on_demand_tls', `${options}\n\ton_demand_tls`));
  const upstream = service.url.replace('http://', '');
  const env = { ...process.env, HOME: folder, PUBLIC_URL: 'https://status.example.com', UPSTREAM: upstream };
  execFileSync('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'pipe' });
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  return {
    port,
    end: async () => {
      caddy.kill();
      await once(caddy, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Visit {
  status?: number;
  names?: string;
  body: string;
}

/** The status, the names of the certificate and the body; the code of the error where there is no connection. */
const visit = (port: number, host: string) =>
  new Promise<Visit>(resolve => {
    const options = { host: '127.0.0.1', port, servername: host, headers: { host }, rejectUnauthorized: false };
    request({ ...options, path: '/' }, response => {
      const names = (response.socket as TLSSocket).getPeerCertificate().subjectaltname;
      let body = '';
      response.setEncoding('utf8').on('data', chunk => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, names, body }));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve({ body: error.code! }))
      .end();
  });

(hasCaddy ? describe : describe.skip)('Caddy with deploy/Caddyfile', () => {
  const service = useOwnService({ publicUrl: 'https://status.example.com' });
  const domain = 'status.meridian.example';
  let pageHost: string;
  let caddy: Caddy;
  beforeAll(async () => {
    const { id, path } = await createPage(service, { name: 'Meridian' });
    pageHost = `${id}.status.example.com`;
    await service.post(`${path}/custom_domain`, { domain });
    await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [id]);
    caddy = await startCaddy(readFileSync('deploy/Caddyfile', 'utf8'), service);
  });
  afterAll(() => caddy.end());
  const get = (host: string) => visit(caddy.port, host);

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

(hasCaddy ? describe : describe.skip)('Caddy with two processes, as docs/scaling.md has it', () => {
  const service = useOwnService({ publicUrl: 'https://status.example.com' });
  const host = 'status.example.com';

  test('answers every visit while one of the two ends', async () => {
    await createPage(service, { name: 'Meridian' });
    const other = createServer((_, response) => void response.end('Meridian')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const [, block] = /^```\n(\treverse_proxy [\s\S]*?)^```/m.exec(readFileSync('docs/scaling.md', 'utf8'))!;
    const upstreams = `${service.url.replace('http://', '')} 127.0.0.1:${(other.address() as AddressInfo).port}`;
    const proxy = block!.replace(/(?<=reverse_proxy ).*(?= \{)/, upstreams);
    const caddyfile = readFileSync('deploy/Caddyfile', 'utf8').replace(/^\treverse_proxy .*\n/m, () => proxy);
    const caddy = await startCaddy(caddyfile, service);
    try {
      await waitUntilEqual(async () => (await visit(caddy.port, host)).status, 200);
      other.closeAllConnections();
      other.close();
      const visits = [];
      for (let count = 0; count < 40; count++) visits.push((await visit(caddy.port, host)).status);
      expect(visits.filter(status => status !== 200)).toEqual([]);
    } finally {
      await caddy.end();
    }
  });
});
