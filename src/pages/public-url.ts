import { sessionVariableSql } from '../db/session-variables.js';

/** The host name under which a page is always reachable: `<page id>.<base host>`. */
export const pageHostSql = (pageId: string) => `${pageId} || '.' || ${sessionVariableSql('baseHost')}`;

const claimInterval = `interval '7 days'`;

/** A claim that is not verified in time expires. */
export const isClaimValidSql = (domain: { verifiedAt: string; claimedAt: string }) =>
  `(${domain.verifiedAt} is not null or ${domain.claimedAt} > statement_timestamp() - ${claimInterval})`;

/** The `endpoint` of a page: the custom domain, verified or not, otherwise its own host name. */
export const endpointSql = (pageId: string) =>
  `coalesce((select d.domain from custom_domain d where d.page_id = ${pageId}` +
  ` and ${isClaimValidSql({ verifiedAt: 'd.verified_at', claimedAt: 'd.claimed_at' })}), ${pageHostSql(pageId)})`;

/**
 * The public URL of a page: its verified custom domain, otherwise its host name with scheme and port of PUBLIC_URL, or
 * its path where PUBLIC_URL has an IP address, which has no hosts below it.
 */
export const publicUrlSql = (pageId: string) =>
  `coalesce((select 'https://' || d.domain from custom_domain d where d.page_id = ${pageId}` +
  ` and d.verified_at is not null),` +
  ` ${sessionVariableSql('pageUrlPrefix')} || ${pageId} || ${sessionVariableSql('pageUrlSuffix')})`;

/** The permanent link to a notice on the public page. */
export const noticeUrlSql = (notice: { page: string; path: string }) =>
  `${publicUrlSql(notice.page)} || '/notices/' || ${notice.path}`;
