import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { expect, test } from '@jest/globals';
import { analyse } from 'scslre';

/** Expressions that take more than linear time for texts that nobody else writes. */
const ofOwnTexts: Record<string, string> = {
  'src/core/database-settings.ts': 'a setting',
  'src/notifications/channels/webhook.ts': 'an id that the service has made',
  'src/status-page/html/image-routes.ts': 'a path that the service has made',
};

interface Expression {
  pattern: string;
  flags: string;
}

/** The literals of a module, wherever they stand. */
function listExpressions(code: string): Expression[] {
  const found: Expression[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node) {
      const { type, pattern, flags } = node as { type?: string } & Partial<Expression>;
      if (type === 'RegExpLiteral') found.push({ pattern: pattern!, flags: flags! });
      else Object.values(node).forEach(visit);
    }
  };
  visit(parse(code, { sourceType: 'module', plugins: ['typescript', 'jsx', 'decorators-legacy'] }).program);
  return found;
}

const isSlow = ({ pattern, flags }: Expression): boolean => analyse({ source: pattern, flags }).reports.length > 0;

const expressions = ['src', 'browser', 'console/src'].flatMap(root =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .map(path => join(root, path))
    .flatMap(path => listExpressions(readFileSync(path, 'utf8')).map(expression => ({ path, ...expression }))),
);

test('an expression that takes more than linear time is found', () => {
  const code = 'const name = /^(a+)+$/; const blanks = <b title={/\\s+$/} />; const word = /^\\w+$/;';
  expect(listExpressions(code).map(isSlow)).toEqual([true, true, false]);
});

test('no regular expression takes more than linear time for what others have written', () => {
  expect(expressions.length).toBeGreaterThan(500);
  const slow = expressions.filter(isSlow);
  expect(slow.filter(({ path }) => !(path in ofOwnTexts))).toEqual([]);
  expect([...new Set(slow.map(({ path }) => path))].sort()).toEqual(Object.keys(ofOwnTexts));
});
