import { publicAddress } from '../core/config.js';
import { literal } from '../core/sql-literal.js';

const { scheme, baseHost, port } = publicAddress();

/** The name under which a page is always reachable: `<page id>.<base host>`. */
export const hostSql = (pageId: string) => `${pageId} || ${literal(`.${baseHost}`)}`;

/** A claim that was not verified within 7 days falls. */
export const claimHoldsSql = (domain: { verifiedAt: string; claimedAt: string }) =>
  `(${domain.verifiedAt} is not null or ${domain.claimedAt} > statement_timestamp() - interval '7 days')`;

/** The page's `endpoint`: the custom domain as set, else its own host name. */
export const endpointSql = (pageId: string) =>
  `coalesce((select d.domain from custom_domain d where d.page_id = ${pageId} and ${claimHoldsSql({ verifiedAt: 'd.verified_at', claimedAt: 'd.claimed_at' })}), ${hostSql(pageId)})`;

/** Where the public finds the page: the custom domain once it is verified, else PUBLIC_URL's scheme and port with the page's host name. */
export const publicAddressSql = (pageId: string) =>
  `coalesce((select 'https://' || d.domain from custom_domain d where d.page_id = ${pageId} and d.verified_at is not null), ${literal(`${scheme}://`)} || ${hostSql(pageId)} || ${literal(port)})`;
