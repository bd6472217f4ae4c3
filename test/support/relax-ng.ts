import { readFileSync } from 'node:fs';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';

/** What a RELAX NG grammar finds wrong in a document; empty when the document is valid. */
export function relaxNgErrors(grammarFile: string, document: string): string {
  using grammar = XmlDocument.fromBuffer(readFileSync(grammarFile));
  using validator = RelaxNGValidator.fromDoc(grammar);
  using parsed = XmlDocument.fromString(document);
  try {
    validator.validate(parsed);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
