import { sessionVariableSql } from '../../db/session-variables.js';

export const messageIdSql = `'<' || gen_random_uuid() || '@' || ${sessionVariableSql('mailDomain')} || '>'`;
