import { Resolver } from 'node:dns/promises';

/** The TXT records of a name; none where the name does not exist. Throws where DNS does not answer. */
export type ResolveTxt = (name: string) => Promise<string[]>;

/** Without servers, those of the system are queried. */
export function createTxtResolver(servers: readonly string[]): ResolveTxt {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers.length) resolver.setServers([...servers]);
  return async name => {
    try {
      return (await resolver.resolveTxt(name)).map(parts => parts.join(''));
    } catch (error) {
      if (['ENOTFOUND', 'ENODATA'].includes(String((error as NodeJS.ErrnoException).code))) return [];
      throw error;
    }
  };
}
