import type { PublicUrl } from '../../core/config.js';
import type { SnapshotPage } from './snapshot.js';
import type { Mount } from './view.js';

/** The root of the page's hosts, or `/status/<page id>/` of the service's, for installations without wildcard DNS. */
export type MountType = 'host' | 'path';

export function getMount(
  { id, domain }: Pick<SnapshotPage, 'id' | 'domain'>,
  mountType: MountType,
  { scheme, baseHost, port, origin, pageUrl }: PublicUrl,
): Mount {
  const pageOrigin = domain ? `https://${domain}` : `${scheme}://${id}.${baseHost}${port}`;
  const publicUrl = domain ? pageOrigin : `${pageUrl.prefix}${id}${pageUrl.suffix}`;
  return {
    origin: mountType === 'host' ? pageOrigin : origin,
    path: mountType === 'host' ? '/' : `/status/${id}/`,
    canonical: `${publicUrl}/`,
  };
}
