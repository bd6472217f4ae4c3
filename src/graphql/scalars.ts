import { type ASTNode, GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { formatTimestamp, parseTimestamp } from '../core/timestamp.js';

const scalar = <Internal>(
  name: string,
  description: string,
  parse: (value: string) => Internal | null,
  serialize: (value: unknown) => string,
) => {
  const read = (value: unknown, nodes?: ASTNode): Internal => {
    const parsed = typeof value === 'string' ? parse(value) : null;
    if (parsed === null) throw new GraphQLError(`is not a ${name}`, { nodes });
    return parsed;
  };
  return new GraphQLScalarType<Internal, string>({
    name,
    description,
    serialize,
    parseValue: value => read(value),
    parseLiteral: node => read(node.kind === Kind.STRING ? node.value : undefined, node),
  });
};

export const Timestamp = scalar(
  'Timestamp',
  'A moment in UTC, written YYYY-MM-DDTHH:MM:SS.mmmZ. Read: ISO 8601 with any offset, a date alone (midnight UTC), or YYYY-MM-DD HH:MM:SS +0000.',
  parseTimestamp,
  // PostgreSQL has written it already, in this very form.
  value => (value instanceof Date ? formatTimestamp(value) : String(value)),
);

export const Bytes = scalar(
  'Bytes',
  'A file, as base64 (RFC 4648, section 4).',
  // No two parts of the pattern can take the same character: what is long and wrong is refused as fast as what is right.
  value => (/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(value) ? Buffer.from(value, 'base64') : null),
  value => Buffer.from(value as Uint8Array).toString('base64'),
);
