import { type GraphQLInputObjectType, type GraphQLSchema, isInputObjectType } from 'graphql';
import { maxPageSize } from '../operation.js';
import { snakeCase } from '../../core/snake-case.js';

/** The introduction of the document; the filter operators come from the GraphQL schema. */
export const introduction = (
  schema: GraphQLSchema,
): string => `Status pages and their components, notices, templates and subscribers.

**Requests.** Send values in the query string, as a form, as multipart/form-data or as a JSON object; the body takes
precedence over the query string. Forms and query strings write lists with brackets
(\`component_ids[]=1&component_ids[]=2\`). A single value counts as a list of one, and \`component_ids[]=\` is the empty
list. Booleans are true and false, or 1 and 0. An absent attribute keeps its value; null or blank resets it to null or
to its default. Unknown and read-only attributes are ignored, so you can send back a whole record that you have read.
PUT is the same as PATCH.

**Responses.** One record is \`{"response": {...}}\`, a list \`{"response": [...], "count": n}\`. Timestamps are in UTC
with milliseconds.

**Paging.** \`page\` and \`per_page\` select a page of a list, and the response then has \`pagination\`. Without them a
list shows up to ${maxPageSize} records, and has \`pagination\` only if there are more. Lists of templates are
always paged, by 25.

**Include.** \`include=brand,notices.updates\` adds related records, at most ${maxPageSize} of each list. A related
record that does not exist is null.

**Filters.** \`filter[<attribute>_<operator>]=<value>\`; a record has to match all of them. Filter an included list with
\`filter[<collection>][<attribute>_<operator>]=<value>\`. Unknown keys are refused (400). Attributes of associated
records are prefixed with the association: \`filter[components_name_cont]=API\`. The operators \`in\` and \`not_in\`
take a list: repeat \`filter[<attribute>_in][]=<value>\`. \`present\` and \`blank\` need no value. A timestamp is
ISO 8601 with any offset, or a date.

${operators(schema)}`;

function operators(schema: GraphQLSchema): string {
  const types = ['StringFilter', 'IntFilter'].map(name => schema.getType(name)).filter(type => isInputObjectType(type));
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
