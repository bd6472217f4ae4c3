import { randomUUID } from 'node:crypto';
import { findSigningKey } from '../../auth/signing-key.service.js';
import { parsePublicUrl } from '../../core/config.js';
import { createFetch } from '../../http/proxies.js';
import { type Installation, installationPath, signChallenge } from '../installation.js';
import { type Check, describeError, failed, type Finding, ok, skipped, warning } from './check.js';

const requestTimeoutMs = 4_000;

/** Whether PUBLIC_URL leads to a service on this database, and whether the proxy passes on host and address. */
export const checkPublicUrl: Check = async ({ settings, environment, database: opening }) => {
  if (!settings.publicUrl && environment.NODE_ENV === 'production')
    return failed(
      'PUBLIC_URL is not set where NODE_ENV is production: all links lead to localhost.',
      'Set it to the address at which visitors reach the service, such as https://status.example.com.',
    );
  if (!settings.publicUrl) return skipped('PUBLIC_URL is not set: only this machine reaches the service.');
  const { origin, baseHost, scheme } = parsePublicUrl(settings);
  const challenge = randomUUID();
  const answer = await request(createFetch(settings), `${origin}${installationPath}?challenge=${challenge}`);
  if ('outcome' in answer) return answer;
  const database = await opening.catch(() => null);
  // An empty database has no key.
  const key = database && (await findSigningKey(database).catch(() => null));
  if (database && answer.proof !== (key && signChallenge(key, challenge)))
    return failed(`${origin} leads to an All Clear with another database.`, 'Correct PUBLIC_URL, the proxy or DNS.');
  if (answer.host !== baseHost && answer.forwardedHost === 'ignored')
    return failed(
      `The proxy sends the host ${answer.host} in place of ${baseHost}, and its X-Forwarded-Host header is ignored: ` +
        'pages of other hosts are not found.',
      'Set TRUSTED_PROXIES to its address, or have it pass on the Host header (Apache: ProxyPreserveHost On).',
    );
  if (answer.host !== baseHost)
    return failed(
      `The proxy sends the host ${answer.host} in place of ${baseHost}: pages of other hosts are not found.`,
      'Have it pass on the Host header (nginx: proxy_set_header Host $http_host; Apache: ProxyPreserveHost On).',
    );
  if (answer.forwardedFor === 'ignored')
    return warning(
      'The X-Forwarded-For header of the proxy is ignored, so that all clients share one rate limit.',
      'Set TRUSTED_PROXIES to the address of the proxy.',
    );
  if (answer.forwardedFor === 'absent' && scheme === 'https')
    return warning(
      'The proxy sends no X-Forwarded-For header, so that all clients share one rate limit.',
      'Have it send one (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    );
  return ok(`${origin} leads to this installation, with the host and the address of the client.`);
};

async function request(fetchUrl: typeof fetch, url: string): Promise<Installation | Finding> {
  const { origin } = new URL(url);
  let response: Response;
  try {
    response = await fetchUrl(url, { redirect: 'manual', signal: AbortSignal.timeout(requestTimeoutMs) });
  } catch (error) {
    return failed(
      `${origin} cannot be reached from this machine: ${describeError(error)}.`,
      'Is the service running? Check the proxy, its certificate, DNS and the firewall.',
    );
  }
  if (response.status >= 300 && response.status < 400)
    return failed(`${origin} redirects to ${response.headers.get('location')}.`, 'Set PUBLIC_URL to where it leads.');
  const body = (await response.json().catch(() => null)) as Installation | null;
  return response.ok && body?.proof
    ? body
    : failed(
        `${origin} does not lead to All Clear: it answers ${response.status}.`,
        'Correct PUBLIC_URL or the proxy.',
      );
}
