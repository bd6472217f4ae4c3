import { requestGuarded } from '../../../http/guarded-request.js';
import type { ProxySettings } from '../../../http/proxies.js';
import { XOAuth2 } from './nodemailer.js';

/** Provides the refresh token for a request, which returns the newer one of the response, if it has one. */
export interface RefreshTokens {
  withToken(request: (token: string) => Promise<string | null>): Promise<void>;
}

interface OAuthSettings {
  user: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Null: the client signs in by itself (client credentials, RFC 6749, 4.4), for the scope. */
  refreshTokens: RefreshTokens | null;
  scope: string;
  proxies?: ProxySettings;
}

type OnToken = Parameters<XOAuth2['generateToken']>[0];
type PostRequest = XOAuth2['postRequest'];

const maxBodyLength = 64 * 1024;

/**
 * The access tokens of nodemailer, which neither knows client credentials nor keeps a newer refresh token, and whose
 * own requests follow redirects, and read responses of any length.
 */
export class AccessTokens extends XOAuth2 {
  private newerToken: string | null = null;

  constructor(private readonly settings: OAuthSettings) {
    const { user, tokenUrl, clientId, clientSecret } = settings;
    super({
      user,
      accessUrl: tokenUrl,
      clientId,
      clientSecret,
      // Never sent: without one nodemailer requests no access token.
      refreshToken: clientSecret || clientId,
    });
  }

  override generateToken(callback: OnToken): void {
    const { refreshTokens } = this.settings;
    if (!refreshTokens) {
      super.generateToken(callback);
      return;
    }
    let accessToken = '';
    refreshTokens
      .withToken(async token => {
        this.options.refreshToken = token;
        this.newerToken = null;
        accessToken = await new Promise<string>((resolve, reject) =>
          super.generateToken((error, text) => (error ? reject(error) : resolve(text))),
        );
        return this.newerToken;
      })
      .then(
        () => callback(null, accessToken),
        (error: Error) => callback(error, ''),
      );
  }

  override postRequest(...[url, payload, , callback]: Parameters<PostRequest>): void {
    const { refreshTokens, scope, clientId, clientSecret, proxies } = this.settings;
    const form = refreshTokens
      ? (payload as Record<string, string>)
      : { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope };
    const request = {
      method: 'POST' as const,
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      maxBodyLength,
    };
    requestGuarded(request, { allowPrivate: true, proxies }).then(
      ({ body }) => {
        this.newerToken = readRefreshToken(body);
        callback(null, Buffer.from(body));
      },
      (error: Error) => callback(error, Buffer.alloc(0)),
    );
  }
}

function readRefreshToken(body: string): string | null {
  try {
    const { refresh_token: token } = JSON.parse(body) as { refresh_token?: unknown };
    return typeof token === 'string' && token ? token : null;
  } catch {
    return null;
  }
}
