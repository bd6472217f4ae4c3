import { describe, expect, test } from '@jest/globals';
import { StatementNames } from '../../../src/db/statement-names.js';

describe('the names of prepared statements', () => {
  const find = (names: StatementNames, ...texts: string[]) => texts.map(text => names.find(text));

  test('a text gets a name when it is seen for the second time', () => {
    const names = new StatementNames('n', 2);
    expect(find(names, 'a', 'a', 'a', 'b', 'b')).toEqual([undefined, 'n0', 'n0', undefined, 'n1']);
  });

  test('a text keeps its name, and a new one gets none when all are taken', () => {
    const names = new StatementNames('n', 2);
    find(names, 'a', 'a', 'b', 'b');
    expect(find(names, 'c', 'c', 'c', 'b', 'a')).toEqual([undefined, undefined, undefined, 'n1', 'n0']);
  });

  test('texts that are seen once take no name, and are forgotten', () => {
    const names = new StatementNames('n', 2);
    find(names, 'hot', 'hot', 'a', 'b', 'c');
    expect(find(names, 'a', 'hot', 'c')).toEqual([undefined, 'n0', 'n1']);
  });

  test('the text of a statement is one string, however often it is compiled', () => {
    const names = new StatementNames('n', 1);
    const compile = () => ['select', '1'].join(' ');
    names.find(compile());
    expect(names.find(compile())).toBe(names.find(compile()));
  });

  test('a text of more than 16,000 characters gets no name', () => {
    const names = new StatementNames('n', 2);
    const texts = [16_000, 16_001].map(length => 'x'.repeat(length));
    expect(find(names, ...texts, ...texts, ...texts)).toEqual([undefined, undefined, 'n0', undefined, 'n0', undefined]);
  });

  test('a text with a pattern gets no name: it is planned for its values', () => {
    const names = new StatementNames('n', 2);
    const texts = ['select 1 where a like $1', 'select 1 where a ilike $1', 'select 1 where a = $1'];
    expect(find(names, ...texts, ...texts)).toEqual([undefined, undefined, undefined, undefined, undefined, 'n0']);
  });

  test('there are never more names than the maximum', () => {
    const names = new StatementNames('n', 10);
    const used = new Set<string>();
    for (let number = 0; number < 1_000; number++)
      for (const name of find(names, `text ${number % 37}`, `text ${number % 37}`)) if (name) used.add(name);
    expect(used.size).toBe(10);
  });
});
