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
}

type OnToken = Parameters<XOAuth2['generateToken']>[0];
type PostRequest = XOAuth2['postRequest'];

/** The access tokens of nodemailer, which neither knows client credentials nor keeps a newer refresh token. */
export class AccessTokens extends XOAuth2 {
  private newerToken: string | null = null;

  constructor(private readonly settings: OAuthSettings) {
    const { user, tokenUrl, clientId, clientSecret } = settings;
    super({
      user,
      accessUrl: tokenUrl,
      clientId,
      clientSecret,
      requestTimeout: 10_000,
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

  override postRequest(...[url, payload, params, callback]: Parameters<PostRequest>): void {
    const { refreshTokens, scope, clientId, clientSecret } = this.settings;
    const form = refreshTokens
      ? payload
      : { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope };
    super.postRequest(url, form, params, (error, body) => {
      this.newerToken = body ? readRefreshToken(body) : null;
      callback(error, body);
    });
  }
}

function readRefreshToken(body: Buffer): string | null {
  try {
    const { refresh_token: token } = JSON.parse(body.toString()) as { refresh_token?: unknown };
    return typeof token === 'string' && token ? token : null;
  } catch {
    return null;
  }
}
