import { type GraphQLInputObjectType, type GraphQLSchema, isInputObjectType } from 'graphql';
import { longestPage } from '../operation.js';
import { snakeCase } from '../../core/snake-case.js';

/** What holds for every operation, said once; the operators of filters are those of the graph. */
export const introduction = (
  graph: GraphQLSchema,
): string => `Status pages, their components, notices, templates and subscribers.

**Requests.** Values are sent in the query string, as a form, as multipart/form-data or as a JSON object; a body beats the query string. Lists are written with
brackets in forms and query strings (\`component_ids[]=1&component_ids[]=2\`); a single value is a list of one, \`component_ids[]=\` the empty list. Booleans are
true and false, also 1 and 0. What is absent stays as it is, null or blank clears to null or to the default. Unknown and read-only names are ignored, so a record that was read may be
sent back whole. HEAD answers as GET without a body; PUT does what PATCH does.

**Answers.** One record is \`{"response": {...}}\`, a list \`{"response": [...], "count": n}\`. Moments are UTC with milliseconds.

**Paging.** \`page\` and \`per_page\` cut a list, and \`pagination\` tells where. Without either a list shows all, up to ${longestPage}, and \`pagination\` only if it had to cut;
templates always come by pages of 25.

**Include.** \`include=brand,notices.updates\` adds related records; a list that is included holds ${longestPage} at most. A thing that a page does not have is null.

**Filters.** \`filter[<attribute>_<operator>]=<value>\`, all of which hold; an included list is narrowed with \`filter[<collection>][<attribute>_<operator>]=<value>\`.
Keys that do not exist are refused (400). Attributes of associated records carry the name of the association: \`filter[components_name_cont]=API\`.
Lists of \`in\` and \`not_in\` are written \`filter[<attribute>_in][]=<value>\`, repeated; \`present\` and \`blank\` need no value. Moments are read as ISO 8601 with any offset or as a date.

${operators(graph)}`;

function operators(graph: GraphQLSchema): string {
  const types = ['StringFilter', 'IntFilter'].map(name => graph.getType(name)).filter(type => isInputObjectType(type));
  const meanings = new Map(
    types.flatMap((type: GraphQLInputObjectType) =>
      Object.values(type.getFields()).map(field => [snakeCase(field.name), field.description]),
    ),
  );
  return [
    '| Operator | Meaning |',
    '|---|---|',
    ...[...meanings].map(([name, meaning]) => `| ${name} | ${meaning} |`),
  ].join('\n');
}
