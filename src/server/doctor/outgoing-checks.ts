import { createProof, isProof, toFinding } from '../../pages/custom-domain/dns-proof.js';
import { queryDns } from '../../pages/custom-domain/dns-query.js';
import { parsePublicUrl } from '../../core/config.js';
import { createFetch } from '../../http/proxies.js';
import { IdentityProvider } from '../../people/sign-in/identity-provider.js';
import { type Check, describeError, failed, ok, onDatabase, skipped, warning } from './check.js';

const requestTimeoutMs = 4_000;

/** Any answer will do: what a gateway answers without a message is its own affair. */
export const checkSmsGateway: Check = async ({ settings }) => {
  const { smsUrl } = settings;
  if (!smsUrl) return skipped('SMS_URL is not set: no SMS is sent.');
  // Without its account and token.
  const { origin } = new URL(smsUrl);
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    await createFetch(settings)(origin, { method: 'HEAD', redirect: 'manual', signal });
    return ok(`${origin} answers. Its account is tried by the first SMS.`);
  } catch (error) {
    return failed(`${origin} cannot be reached: ${describeError(error)}.`, 'Correct SMS_URL, or open the firewall.');
  }
};

export const checkIdentityProvider: Check = async ({ settings }) => {
  const { oidcIssuer } = settings;
  if (!oidcIssuer) return skipped('OIDC_ISSUER is not set.');
  try {
    await new IdentityProvider(settings).begin();
    return ok(`${oidcIssuer} answers with its configuration.`);
  } catch (error) {
    return failed(
      `${oidcIssuer} does not answer as an OpenID Connect provider: ${describeError(error)}.`,
      'Correct OIDC_ISSUER, or open the firewall.',
    );
  }
};

const maxDomains = 20;
const dnsTimeouts = { tryMs: 1_000, tries: 2, totalMs: 4_000 };

interface Claim {
  domain: string;
  pageId: string;
  token: string;
  isVerified: boolean;
}

export const checkCustomDomains = onDatabase(async (database, { settings }) => {
  const claims = await database.query<Claim>(
    `select domain, page_id as "pageId", proof_token as token, verified_at is not null as "isVerified"
     from custom_domain order by checked_at nulls first limit ${maxDomains}`,
  );
  if (!claims.length) return skipped('No page has a custom domain.');
  const { baseHost } = parsePublicUrl(settings);
  const unproven = (
    await Promise.all(
      claims.map(async claim => {
        const proof = createProof(claim, baseHost);
        const finding = toFinding(proof, await queryDns(proof, settings.dnsServers, undefined, dnsTimeouts));
        return isProof(finding) ? null : { ...claim, finding };
      }),
    )
  ).filter(claim => claim !== null);
  if (!unproven.length)
    return ok(`DNS proves ${claims.length === 1 ? claims[0]!.domain : `${claims.length} domains`}.`);
  const found = unproven.map(({ domain, finding }) => `${domain}: ${finding}.`).join(' ');
  const remedy = 'Have their owners create the DNS record that the console shows under Domain.';
  // A verified domain is served for 7 days without its record.
  return (unproven.some(({ isVerified }) => isVerified) ? failed : warning)(`DNS does not prove ${found}`, remedy);
});
