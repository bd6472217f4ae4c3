import { InvalidSettings, parseConsoleUrl, parsePublicUrl, type Settings } from '../../../core/config.js';
import type { ProxySettings } from '../../../http/proxies.js';
import { createDkimSigner } from './dkim.js';
import { EmailChannel } from './email.js';
import { AccessTokens, type RefreshTokens } from './oauth.js';
import { parseSender } from './sender.js';
import type { SmtpOptions, Timeouts } from './smtp-connection.js';
import { isSmtpUrl } from './smtp-url.js';

type OAuthSetting =
  | 'smtpOauthTokenUrl'
  | 'smtpOauthClientId'
  | 'smtpOauthClientSecret'
  | 'smtpOauthRefreshToken'
  | 'smtpOauthScope';
type HeaderSetting = 'mailHeaders' | 'unsubscribeMailbox' | 'consoleUrl';
type DkimSetting = 'dkimDomain' | 'dkimSelector' | 'dkimPrivateKeyFile';
type EmailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'port'> &
  Partial<Pick<Settings, OAuthSetting | DkimSetting | HeaderSetting> & ProxySettings>;

/**
 * Opens the channel, or returns null if no mail server is configured. Checks what the table of settings cannot.
 * `refreshTokens` are used in place of that of the settings.
 */
export function openEmail(
  settings: EmailSettings,
  timeouts?: Timeouts,
  refreshTokens?: RefreshTokens,
): EmailChannel | null {
  const { smtpUrl, mailFrom } = settings;
  if (!smtpUrl) return null;
  if (!isSmtpUrl(smtpUrl))
    throw invalid('SMTP_URL: only ?tls=required, ?tls=never and ?tls=unverified may follow the host');
  const parsed = parseSender(mailFrom, parsePublicUrl(settings).baseHost);
  if (!parsed) throw invalid('MAIL_FROM: must be an address, or a name and <an address>');
  const { mailHeaders: headers = {}, unsubscribeMailbox } = settings;
  const { origin: consoleOrigin } = parseConsoleUrl({ ...settings, consoleUrl: settings.consoleUrl ?? '' });
  const sender = { ...parsed, consoleOrigin, headers, unsubscribeMailbox };
  return new EmailChannel(smtpUrl, sender, {
    oauth: createOAuth(settings, refreshTokens),
    sign: createSigner(settings),
    ...(timeouts && { timeouts }),
  });
}

function createOAuth(settings: EmailSettings, given?: RefreshTokens): SmtpOptions['oauth'] {
  const { smtpUrl, smtpOauthTokenUrl: tokenUrl, smtpOauthRefreshToken: token } = settings;
  const { httpProxy = '', httpsProxy = '', noProxy = '' } = settings;
  if (!tokenUrl) return undefined;
  const ofSettings: RefreshTokens | null = token ? { withToken: async request => void (await request(token)) } : null;
  return new AccessTokens({
    user: decodeURIComponent(new URL(smtpUrl).username),
    tokenUrl,
    clientId: settings.smtpOauthClientId ?? '',
    clientSecret: settings.smtpOauthClientSecret ?? '',
    refreshTokens: ofSettings && (given ?? ofSettings),
    scope: settings.smtpOauthScope ?? '',
    proxies: { httpProxy, httpsProxy, noProxy },
  });
}

function createSigner({ dkimDomain, dkimSelector, dkimPrivateKeyFile }: EmailSettings): SmtpOptions['sign'] {
  if (!dkimDomain || !dkimSelector || !dkimPrivateKeyFile) return undefined;
  try {
    return createDkimSigner({ domain: dkimDomain, selector: dkimSelector, privateKeyFile: dkimPrivateKeyFile });
  } catch (error) {
    throw invalid(`DKIM_PRIVATE_KEY_FILE: ${(error as Error).message}`);
  }
}

const invalid = (problem: string) => new InvalidSettings(`These settings are wrong:\n  ${problem}`);
