import { readFileSync } from 'node:fs';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { InvalidSettings } from '../core/config.js';
import { badRequest } from '../core/errors.js';

interface Parameters {
  query?: unknown;
  documentId?: unknown;
  extensions?: unknown;
}

/** Documents that clients ask for by id, so that a GET is short and caches can keep its response. */
export class TrustedDocuments {
  private constructor(private readonly documents: ReadonlyMap<string, string>) {}

  /** Reads the file of TRUSTED_DOCUMENTS. Throws with all mistakes: a start with a wrong file would refuse clients. */
  static load(file: string, schema: GraphQLSchema): TrustedDocuments {
    if (file === '') return new TrustedDocuments(new Map());
    let entries: [id: string, text: unknown][];
    try {
      entries = readEntries(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      throw new InvalidSettings(`TRUSTED_DOCUMENTS: ${file} cannot be read as JSON: ${(error as Error).message}`);
    }
    const mistakes = entries.flatMap(([id, text]) => findMistakes(text, schema).map(reason => `${id}: ${reason}`));
    if (mistakes.length) throw new InvalidSettings(`TRUSTED_DOCUMENTS: ${file} has mistakes. ${mistakes.join(' ')}`);
    return new TrustedDocuments(new Map(entries as [string, string][]));
  }

  /**
   * Returns the text that a request asks for by id: by `documentId`, or as Apollo Client does. Undefined for a request
   * with a text of its own, and for an id of Apollo Client that is not known: it sends the text then.
   */
  find({ query, documentId, extensions }: Parameters): string | undefined {
    if (query !== undefined) return undefined;
    if (documentId !== undefined) {
      const text = this.lookUp(documentId);
      if (!text) throw badRequest('There is no document with this `documentId` in the file of TRUSTED_DOCUMENTS.');
      return text;
    }
    return this.lookUp(readPersistedQuery(extensions)?.sha256Hash);
  }

  private lookUp(id: unknown): string | undefined {
    if (typeof id !== 'string') return undefined;
    return this.documents.get(id) ?? this.documents.get(id.replace(/^sha256:/, ''));
  }
}

/** A map of texts by id, or a manifest of Apollo: `{ "operations": [{ "id": ..., "body": ... }] }`. */
function readEntries(json: unknown): [string, unknown][] {
  if (typeof json !== 'object' || json === null) throw new Error('it is no map of texts by id');
  const { operations } = json as { operations?: { id: string; body: unknown }[] };
  return Array.isArray(operations) ? operations.map(({ id, body }) => [String(id), body]) : Object.entries(json);
}

function findMistakes(text: unknown, schema: GraphQLSchema): string[] {
  if (typeof text !== 'string') return ['is not a string.'];
  try {
    return validate(schema, parse(text)).map(({ message }) => message);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The extension by which Apollo Client asks for a document: as JSON in a GET, as an object in a POST. */
function readPersistedQuery(extensions: unknown): { sha256Hash?: unknown } | undefined {
  try {
    const parsed = (typeof extensions === 'string' ? JSON.parse(extensions) : extensions) as {
      persistedQuery?: { sha256Hash?: unknown };
    } | null;
    return parsed?.persistedQuery;
  } catch {
    return undefined;
  }
}
