import { sessionVariableSql } from '../../db/session-variables.js';

/** SQL: a new Message-ID. */
export const messageIdSql = `'<' || gen_random_uuid() || '@' || ${sessionVariableSql('mailDomain')} || '>'`;
