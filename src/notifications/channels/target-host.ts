/** SQL: the host of a stored target. The rest of a webhook's URL is its password. */
export const targetHostSql = (target: string): string => `substring(${target} ->> 'url' from '^[a-z]+://([^/?#]+)')`;
