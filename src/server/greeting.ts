import { parsePublicUrl } from '../core/config.js';
import type { Service } from './service.js';

/** What a start prints. */
export function renderGreeting({ settings, port, firstToken }: Service): string {
  const { origin } = parsePublicUrl(settings);
  const lines = [
    `All Clear listens on http://${settings.host}:${port}`,
    '',
    `  REST      ${origin}/v1/hello`,
    `  GraphQL   ${origin}/graphql`,
  ];
  if (firstToken)
    lines.push(
      '',
      'The database was empty. This is your first token, with all rights. It is shown only once:',
      '',
      `  ${firstToken}`,
      '',
      `  curl -H 'Authorization: Bearer ${firstToken}' ${origin}/v1/hello`,
    );
  return `${lines.join('\n')}\n`;
}
