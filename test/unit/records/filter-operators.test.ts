import { expect, test } from '@jest/globals';
import { operators } from '../../../src/records/filter-operators.js';

test('an expression is computed once, and compared in lower case with a part in ASCII', () => {
  const sql = `publication.message_snapshot ->> 'text'`;
  for (const operator of ['cont', 'matches'] as const) {
    const condition = operators[operator]({ sql, type: 'text', isCaseInsensitive: true }, 'paYments', () => '$1');
    expect(condition.split(sql)).toHaveLength(2);
    expect(condition).toContain('lower(computed.value collate "C") like $1');
  }
});
