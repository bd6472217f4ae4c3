import http from 'node:http';
import type { RequestInit as UndiciRequestInit } from 'undici';
import { InvalidSettings, type Settings } from '../core/config.js';

export type ProxySettings = Pick<Settings, 'httpProxy' | 'httpsProxy' | 'noProxy'>;

export const hasProxy = ({ httpProxy, httpsProxy }: ProxySettings): boolean => Boolean(httpProxy || httpsProxy);

/** Has the requests of this process use the proxies that name none, such as those of `allclear apply`. */
export function useProxies(settings: ProxySettings): void {
  if (!hasProxy(settings)) return;
  const { httpProxy, httpsProxy, noProxy } = settings;
  if (!http.setGlobalProxyFromEnv) throw new InvalidSettings('HTTPS_PROXY and HTTP_PROXY need Node 24.14 or newer.');
  http.setGlobalProxyFromEnv({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy || httpProxy, NO_PROXY: noProxy });
}

/**
 * Returns a `fetch` that uses the proxies, with an agent for each request: that of the process goes on connecting for
 * ever where a proxy closes a tunnel without a response.
 */
export function createFetch(proxies: ProxySettings): typeof fetch {
  if (!hasProxy(proxies)) return fetch;
  return async (url, init) => {
    const undici = await import('undici');
    const { httpProxy, httpsProxy, noProxy } = proxies;
    const agent = new undici.EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
    try {
      const response = await undici.fetch(url as string | URL, { ...(init as UndiciRequestInit), dispatcher: agent });
      // It closes once the body has been read.
      agent.close().catch(() => {});
      const { status, statusText, headers, body } = response;
      return new Response(body as ConstructorParameters<typeof Response>[0], {
        status,
        statusText,
        headers: [...headers],
      });
    } catch (error) {
      agent.destroy().catch(() => {});
      throw error;
    }
  };
}
