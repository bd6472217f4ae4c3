import { type GraphQLSchema, getOperationAST, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../../core/errors.js';
import { maxSelectionBytes } from '../../records/selection.js';
import { type PreparedOperation, prepareOperation } from '../fast-path.js';

/** What an open subscription keeps of its document and its variables: their texts. */
export interface SubscriptionDocument {
  source: string;
  operationName: string | undefined;
  /** JSON, as the client sent them. */
  variables: string;
}

/** Of a text that is kept while a stream is open. A half of MAX_CONNECTIONS can be streams. */
const maxLength = 10_000;
const maxParsedBytes = 16 * 1024 * 1024;
/** Of a parsed document, at most: a token of one character and a space become a node of 500 bytes. */
const bytesPerCharacter = 250;

/** Throws where the texts are too long to be kept. */
export function checkLength({ source, variables }: SubscriptionDocument): void {
  if (source.length > maxLength)
    throw badRequest(`The document of a subscription is longer than ${maxLength} characters.`);
  if (variables.length > maxLength)
    throw badRequest(`The variables of a subscription are longer than ${maxLength} characters.`);
}

/**
 * The documents of subscriptions, parsed. A parsed one has up to half a megabyte and anybody may open streams with many
 * different ones, so that those which were read last are kept, and the others are parsed again.
 */
export class SubscriptionDocuments {
  private readonly parsed = new LRUCache<string, PreparedOperation>({
    maxSize: maxParsedBytes,
    sizeCalculation: ({ operation }, key) => bytesPerCharacter * key.length + maxSelectionBytes(operation.loc!.source),
  });

  constructor(private readonly schema: GraphQLSchema) {}

  /** Parses a document that was valid when its stream was opened. */
  prepare({ source, operationName }: SubscriptionDocument): PreparedOperation {
    const key = JSON.stringify([operationName, source]);
    const known = this.parsed.get(key);
    if (known) return known;
    const document = parse(source);
    const prepared = prepareOperation(this.schema, document, getOperationAST(document, operationName)!);
    this.parsed.set(key, prepared);
    return prepared;
  }
}
