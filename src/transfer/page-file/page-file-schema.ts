import { mapLists } from './record-lists.js';
import type { FileField, FileFields, PageFileFields } from './page-file.fields.js';

const id = (description: string) => ({ type: ['string', 'number'], description });

/** The JSON Schema of page files, by which editors complete and check them. */
export function renderPageFileSchema({ page, brand, component, lists, channels }: PageFileFields): string {
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A page of All Clear, for `allclear apply`',
    ...describeRecord({
      page: {
        description: 'The settings of the page. Fields that are left out stay as they are.',
        ...describeRecord({
          id: id('The page. Without it, the one with this name, or else a new one.'),
          ...toSchemas(page),
        }),
      },
      brand: { description: 'The colours of the page.', ...describeRecord(toSchemas(brand)) },
      components: { $ref: '#/$defs/components' },
      ...mapLists((name, { kind, description, hasComponents }) => ({
        type: 'array',
        description,
        items: {
          ...describeRecord({
            id: id(`The ${kind}. Without it, the one with this name, or else a new one.`),
            ...toSchemas(lists[name]),
            ...(hasComponents && {
              components: {
                type: 'array',
                items: id('A component: its name, its path such as `Europe / Website`, or its id.'),
              },
            }),
          }),
          required: ['name'],
        },
      })),
      channels: {
        description: 'The channels to which the page posts.',
        ...describeRecord(
          Object.fromEntries(Object.entries(channels).map(([name, channel]) => [name, describeChannel(channel)])),
        ),
      },
    }),
    required: ['page'],
    $defs: {
      components: {
        type: 'array',
        description: 'The components, in the order in which they are shown.',
        items: {
          ...describeRecord({
            id: id('The component. Without it, the one with this name, or else a new one.'),
            ...toSchemas(component),
            components: { $ref: '#/$defs/components' },
          }),
          required: ['name'],
        },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const describeRecord = (properties: object) => ({ type: 'object', properties, additionalProperties: false });

const toSchemas = (fields: FileFields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toSchema(field)]));

function toSchema({ type, choices, isNullable, description }: FileField): object {
  const name = type === 'text' ? 'string' : type;
  return {
    ...(choices ? { enum: isNullable ? [...choices, null] : choices } : { type: isNullable ? [name, 'null'] : name }),
    description,
  };
}

const variable = {
  type: 'string',
  pattern: '^\\$\\{\\w+\\}$',
  description: `A variable of the environment: \${NAME}.`,
};

const describeChannel = ({ hasToken }: { hasToken: boolean }) => ({
  ...describeRecord(
    hasToken
      ? {
          url: { type: 'string', description: `The server, or a variable of the environment: \${NAME}.` },
          token: variable,
        }
      : { url: variable },
  ),
  required: ['url'],
});
