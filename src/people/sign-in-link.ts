import { createSignInCode, type StatementRunner } from '../auth/session.service.js';
import { parseConsoleUrl, type Settings } from '../core/config.js';

/** Creates a link that signs a person in once, within 15 minutes. */
export const createSignInLink = async (
  database: StatementRunner,
  settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>,
  personId: number,
): Promise<string> => `${parseConsoleUrl(settings).origin}/sign-in/${await createSignInCode(database, personId)}`;
