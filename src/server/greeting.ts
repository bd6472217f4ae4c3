import { parseConsoleUrl, parsePublicUrl } from '../core/config.js';
import type { Service } from './service.js';

export function renderGreeting({ settings, port, firstAccess }: Service): string {
  const { origin } = parsePublicUrl(settings);
  const lines = [
    `All Clear listens on http://${settings.host}:${port}`,
    '',
    `  Console   ${parseConsoleUrl(settings).origin}/console/`,
    `  REST      ${origin}/v1/hello`,
    `  GraphQL   ${origin}/graphql`,
  ];
  if (firstAccess) {
    const { token, email, link } = firstAccess;
    lines.push(
      '',
      `The database was empty. This link signs you in as ${email}, owner of all pages, once, within 15 minutes:`,
      '',
      `  ${link}`,
      '',
      'This is your first token, with all rights. It is shown only once:',
      '',
      `  ${token}`,
      '',
      `  curl -H 'Authorization: Bearer ${token}' ${origin}/v1/hello`,
    );
  }
  return `${lines.join('\n')}\n`;
}
