import { Tokenizer } from 'liquidjs';

/** A text in quotes, or what has no space, comma, bar or quote outside of quotes. */
const fragment = /"[^"]*"|'[^']*'|(?:[^\s,|'"]|"[^"]*"|'[^']*')+/;
const argument = new RegExp(`[:,]\\s*(\\w+\\s*:\\s*)?(${fragment.source})`, 'g');
const filterPart = /(?:[^|'"]|"[^"]*"|'[^']*')+/g;
const condition = new RegExp(`(${fragment.source})\\s*([=!<>a-z_]+)?\\s*(${fragment.source})?`);

/** Reads an output as Ruby's Liquid does by default: what it does not expect does not count. */
export function readOutput(markup: string): string {
  const first = fragment.exec(markup);
  if (!first) return 'nil';
  const rest = markup.slice(first.index + first[0].length);
  const bar = rest.indexOf('|');
  const filters = bar < 0 ? [] : (rest.slice(bar).match(filterPart) ?? []);
  return [readValue(first[0]), ...filters.map(readFilter).filter(Boolean)].join(' | ');
}

function readFilter(part: string): string {
  const name = /\w+/.exec(part)?.[0];
  if (!name) return '';
  const values = [...part.matchAll(argument)].map(([, key = '', value]) => key + readValue(value!));
  return values.length ? `${name}: ${values.join(', ')}` : name;
}

/** A condition: of each part between `and` and `or`, a value, or two with an operator between them. */
export function readCondition(markup: string): string {
  const parts = markup.split(/\b(and|or)\b/);
  return parts.map((part, index) => (index % 2 ? part : readComparison(part))).join(' ');
}

function readComparison(part: string): string {
  const [, left, operator, right] = condition.exec(part) ?? [];
  if (left === undefined) return 'nil';
  return operator && right !== undefined ? `${readValue(left)} ${operator} ${readValue(right)}` : readValue(left);
}

/** A value, or of what is none, the names in it. */
function readValue(text: string): string {
  if (isValue(text)) return text;
  const path = (text.match(/\[[^[\]]+\]|[\w-]+\??/g) ?? []).join('.').replaceAll('.[', '[');
  return isValue(path) ? path : 'nil';
}

function isValue(text: string): boolean {
  const tokenizer = new Tokenizer(text);
  try {
    return tokenizer.readValue() !== undefined && tokenizer.end();
  } catch {
    return false;
  }
}
