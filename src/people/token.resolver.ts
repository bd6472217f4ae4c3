import { Args, Ctx, Field, ObjectType, Resolver } from 'type-graphql';
import { findReadablePages } from '../auth/access.js';
import type { Context } from '../graphql/context.js';
import { createFilterType } from '../graphql/filters.js';
import { IdArg, InjectReader, InputArg, ReadField, ReadQuery, WriteMutation } from '../graphql/field-decorators.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import type { ListArguments } from '../records/list-arguments.js';
import type { FieldReader } from '../records/field-reader.js';
import { createToken, revokeToken } from './token-administration.service.js';
import { Token } from './token.entity.js';
import { CreateTokenInput } from './token.inputs.js';

const TokenConnection = createConnectionType(Token);
const TokenArguments = createListArguments(
  Token,
  createFilterType(Token, { except: ['pageIds'] }),
  ['id', 'label', 'createdAt'],
  ['expiresAt', 'lastUsedAt', 'revokedAt'],
);

@ObjectType({ description: 'A token that was changed.' })
class TokenPayload {
  constructor(readonly id: number) {}

  @ReadField(() => Token, 'The token, after the change.')
  token(@InjectReader() read: FieldReader) {
    return read.one([[Token, this.id]]);
  }
}

@ObjectType({ description: 'A new token.' })
class CreateTokenPayload extends TokenPayload {
  constructor(id: number, secret: string) {
    super(id);
    this.secret = secret;
  }

  @Field(() => String, {
    description: 'What the program sends as `Authorization: Bearer <secret>`. It cannot be read again.',
  })
  secret: string;
}

@Resolver()
export class TokenResolver {
  @ReadQuery(() => Token, 'administrator', 'A token whose pages the caller owns.')
  token(@IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one([[Token, id]]);
  }

  @ReadQuery(
    () => TokenConnection,
    'administrator',
    'Lists tokens in the order of creation, revoked ones included: all of them for an OWNER of all pages, else those ' +
      'whose pages the caller owns.',
  )
  tokens(@Args(() => TokenArguments) list: ListArguments, @InjectReader() read: FieldReader) {
    return read.list([], Token, list);
  }

  @WriteMutation(
    () => CreateTokenPayload,
    'administrator',
    'Creates a token for pages that the caller owns. Its secret is in this response only, so the request takes no ' +
      'Idempotency-Key: a lost token is revoked.',
    { isSecret: true },
  )
  async createToken(@InputArg(() => CreateTokenInput) input: CreateTokenInput, @Ctx() { caller, write }: Context) {
    const { id, secret } = await createToken(write, caller, input);
    return new CreateTokenPayload(id, secret);
  }

  @WriteMutation(
    () => TokenPayload,
    'administrator',
    'Revokes a token and those that it has made, with effect in all processes within a second. A revoked token ' +
      'cannot be restored.',
  )
  async revokeToken(@IdArg('id') id: string, @Ctx() { caller, write }: Context) {
    return new TokenPayload(await revokeToken(write, id, findReadablePages(caller, ['administrator'])));
  }
}
