/** SQL: the host of a stored target. The rest of a webhook's URL is its password. */
export const targetHostSql = (target: string): string => `substring(${target} ->> 'url' from '^[a-z]+://([^/?#]+)')`;

/** The hosts of the push services of browsers, which hold the endpoints of most visitors. */
export const pushServices =
  /^(fcm\.googleapis\.com|web\.push\.apple\.com|([\w-]+\.)+(push\.services\.mozilla|notify\.windows)\.com)$/;

/**
 * Whether a visitor subscribes a program or a browser at a host that anybody may run, and so at one that is made to be
 * slow. Chats and the push services of browsers are run by others.
 */
export const isUntrusted = ({ format, host }: { format: string; host: string }): boolean =>
  format === 'standard' || (format === 'push' && !pushServices.test(host));

/** SQL: the same of a webhook `w`, which an operator may have created, too. */
export const isUntrustedSql = `(w.url_hash is not null and (w.format = 'standard'
  or w.format = 'push' and ${targetHostSql('w.target')} !~ '${pushServices.source}'))`;
