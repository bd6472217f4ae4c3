import { refusalCodes } from '../core/errors.js';
import { filterCosts } from './filters.js';
import { limits } from './limits.js';

const purpose =
  'Public status pages: what they show, who is notified, and how to change both. Lists are connections; records have ' +
  'an `id` that is unique in their type and a `nodeId` that is unique among all. `@access` and the ' +
  'last sentence of a description say what a field requires; without them it is open where its parent is.';
const formatNumber = (value: number) => value.toLocaleString('en');
const limitsDescription =
  `A request can have ${limits.rootFields} root fields, ${limits.aliases} aliases of ${limits.nameLength} ` +
  `characters, ${limits.depth} levels, ${formatNumber(limits.fields)} fields (each counts once for each type of ` +
  `record that can have it) and ${formatNumber(limits.tokens)} tokens in 100 KB, values of ` +
  `${limits.nesting} levels, and select ${formatNumber(limits.cost)} records (${formatNumber(limits.anonymousCost)} ` +
  `without a token). The sizes of ` +
  'nested lists multiply; a list counts as its `first` or `last`, and without them as its description says. A ' +
  `condition of a filter counts as ${formatNumber(filterCosts.condition)} records, and for each association that it ` +
  `goes through as ${filterCosts.perAssociation} times as many. The ` +
  'header `X-GraphQL-Cost: 1` adds `extensions.cost` to the response. Introspection has a limit of its own.';
const errorsDescription =
  `An error has \`extensions.code\`: ${refusalCodes.join(', ')} or SYSTEM, besides the codes of GraphQL itself. ` +
  '`extensions.path` names the argument that it is about, as in `["input", "name"]`, or the selected field that ' +
  'requires more access. PRECONDITION_FAILED has the `extensions.currentVersion` of the record, the ' +
  '`extensions.currentCount` of the records that match, or in `extensions.changedParts` which of TEXT, STATES, ' +
  'AUDIENCE and APPEARANCE differ from the preview. What is wrong with the input of a mutation is in `userErrors` of ' +
  'its payload.';

/** The description of the schema, which introspection shows. */
export const schemaDescription = `${purpose}\n\n${limitsDescription}\n\n${errorsDescription}`;
