/**
 * The only import of `graphql/execution/collectFields.js`, which graphql-js ships but does not export from its index:
 * the algorithms CollectFields and CollectSubfields of the specification, by which the standard execution resolves
 * fragments, @include and @skip. The version of graphql-js is pinned, and test/unit/records/internals.test.ts checks
 * what they return.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
