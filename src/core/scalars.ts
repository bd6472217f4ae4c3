import 'reflect-metadata';
import { type ASTNode, GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import { showValue } from './problems.js';
import { formatTimestamp, parseTimestampOrLocalTime } from './timestamp.js';

const scalar = <Internal>(
  name: string,
  { description, form, specifiedByURL }: { description: string; form: string; specifiedByURL: string },
  parse: (value: string) => Internal | null,
  serialize: (value: unknown) => string,
) => {
  const read = (value: unknown, nodes?: ASTNode): Internal => {
    const parsed = typeof value === 'string' ? parse(value) : null;
    if (parsed === null) throw new GraphQLError(`A ${name} is ${form}, not ${showValue(value) ?? 'that'}.`, { nodes });
    return parsed;
  };
  return new GraphQLScalarType<Internal, string>({
    name,
    description,
    specifiedByURL,
    serialize,
    parseValue: value => read(value),
    parseLiteral: node => read(node.kind === Kind.STRING ? node.value : undefined, node),
  });
};

export const Timestamp = scalar(
  'Timestamp',
  {
    description:
      'A point in time in UTC, written as YYYY-MM-DDTHH:MM:SS.mmmZ. As input: ISO 8601 with Z or any offset. A time ' +
      'without one, and a date alone, is refused with what it could mean.',
    form: 'ISO 8601 with Z or an offset, such as 2026-11-29T02:00:00Z',
    specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc3339#section-5.6',
  },
  // /v1, which takes them, reads its parameters without this function.
  parseTimestampOrLocalTime,
  // PostgreSQL formats timestamps in this form already.
  value => (value instanceof Date ? formatTimestamp(value) : String(value)),
);

export const Bytes = scalar(
  'Bytes',
  {
    description: 'A file, encoded as base64 (RFC 4648, section 4).',
    form: 'a text of base64',
    specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc4648#section-4',
  },
  // No two parts of the pattern match the same character, so a long invalid value takes linear time.
  value => (/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(value) ? Buffer.from(value, 'base64') : null),
  value => Buffer.from(value as Uint8Array).toString('base64'),
);

/** For what other specifications define, and a client passes on as it is. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'A value of JSON, as another specification defines it.',
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc8259',
  serialize: value => value,
  parseValue: value => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/** A text that clients get, whose type says what it is. In inputs it stays a String, of which `userErrors` say more. */
const outputText = (name: string, description: string, specifiedByURL: string) =>
  new GraphQLScalarType<string, string>({ name, description, specifiedByURL, serialize: String });

const outputTexts: readonly [fields: RegExp, scalar: GraphQLScalarType][] = [
  [
    /^date$|Day$/,
    outputText('Date', 'A day, written as YYYY-MM-DD.', 'https://datatracker.ietf.org/doc/html/rfc3339#section-5.6'),
  ],
  [/^(url|link)$|Url$/, outputText('URL', 'An absolute address.', 'https://url.spec.whatwg.org/')],
  [/^locale$/, outputText('Locale', 'A language, such as `pt-BR`.', 'https://datatracker.ietf.org/doc/html/rfc5646')],
  [
    /^color(?=[A-Z]|$)/,
    outputText('Color', 'A colour as it was set: hexadecimal, rgb() or rgba().', 'https://www.w3.org/TR/css-color-4/'),
  ],
];

/** The scalar of a field of type String, by its name. */
export const findTextScalar = (field: string): GraphQLScalarType | undefined =>
  outputTexts.find(([fields]) => fields.test(field))?.[1];
