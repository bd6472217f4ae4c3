import { readCondition, readOutput } from './lax-markup.js';

/**
 * Rewrites what Ruby's Liquid reads in another way than liquidjs, on the same lines: a backslash in a text is an
 * ordinary character, an output without a value prints nothing, and what follows the name of `else` and `end...` does
 * not count. `isLax` also rewrites what liquidjs cannot parse.
 */
export function normalizeSource(source: string, isLax = false): string {
  let normalized = '';
  let position = 0;
  /** The tag that ends a block whose content is no template. */
  let endOfBlock: string | null = null;
  for (;;) {
    const start = findOpening(source, position, endOfBlock !== null);
    const isOutput = source[start + 1] === '{';
    const end = start < 0 ? -1 : source.indexOf(isOutput ? '}}' : '%}', start + 2);
    if (end < 0) return normalized + source.slice(position);
    const inner = source.slice(start + 2, end);
    normalized += source.slice(position, start + 2);
    position = end;
    const name = isOutput ? '' : (/^-?\s*(\w+)/.exec(inner)?.[1] ?? '');
    if (endOfBlock) endOfBlock = name === endOfBlock ? null : endOfBlock;
    else if (name === 'raw' || name === 'comment') endOfBlock = `end${name}`;
    normalized += endOfBlock ? inner : isOutput ? normalizeOutput(inner, isLax) : normalizeTag(inner, name, isLax);
  }
}

/** The next `{{` or `{%`, or -1. */
function findOpening(source: string, from: number, onlyTags: boolean): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    if (source[at + 1] === '%' || (!onlyTags && source[at + 1] === '{')) return at;
  }
  return -1;
}

/** In liquidjs a backslash begins an escape sequence. */
const keepBackslashes = (markup: string): string =>
  markup.replace(/"[^"]*"|'[^']*'/g, text => text.replaceAll('\\', '\\\\'));

/** What is between the hyphens of white space control. */
function splitHyphens(inner: string): [before: string, markup: string, after: string] {
  const before = inner.startsWith('-') ? '-' : '';
  const after = inner.length > before.length && inner.endsWith('-') ? '-' : '';
  return [before, inner.slice(before.length, inner.length - after.length), after];
}

function normalizeOutput(inner: string, isLax: boolean): string {
  const [before, markup, after] = splitHyphens(inner);
  const value = markup.trimStart();
  if (value === '' || value.startsWith('|')) return `${before} nil ${markup}${after}`;
  return isLax
    ? `${before} ${keepBackslashes(keepDecimal(readOutput(markup)))} ${countLines(markup)}${after}`
    : `${before}${keepBackslashes(keepDecimal(markup))}${after}`;
}

/** The engine has 60.0 as the number 60: a sum with a decimal is one that stays a decimal. */
const keepDecimal = (value: string): string => value.replace(/^\s*-?\d+\.\d+(?=\s*(?:\||$))/, '$& | plus: 0.0');

const conditions = new Set(['if', 'elsif', 'unless']);
const countLines = (text: string): string => text.replace(/[^\n]/g, '');

function normalizeTag(inner: string, name: string, isLax: boolean): string {
  const [before, markup, after] = splitHyphens(inner);
  const lines = countLines(markup);
  if (name === 'else' || /^end[a-z]+$/.test(name)) return `${before} ${name} ${lines}${after}`;
  const condition = markup.slice(markup.indexOf(name) + name.length);
  if (isLax && conditions.has(name) && condition.trim())
    return `${before} ${name} ${keepBackslashes(readCondition(condition))} ${lines}${after}`;
  if (name !== 'assign') return keepBackslashes(inner);
  const equals = markup.indexOf('=') + 1;
  const value = isLax ? readOutput(markup.slice(equals)) : markup.slice(equals);
  const lostLines = isLax ? countLines(markup.slice(equals)) : '';
  return `${before}${markup.slice(0, equals)}${keepBackslashes(keepDecimal(value))} ${lostLines}${after}`;
}
