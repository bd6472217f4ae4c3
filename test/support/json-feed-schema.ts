/** A JSON schema of the members of JSON Feed 1.1 that this service uses. No other member is allowed. */
const text = { type: 'string', minLength: 1 };
const url = { type: 'string', format: 'uri', pattern: '^https?://' };
const timestamp = { type: 'string', format: 'date-time' };
const closedObject = (required: string[], properties: object, optional: object = {}) => ({
  type: 'object',
  required,
  properties: { ...properties, ...optional },
  additionalProperties: false,
});

const item = closedObject(
  ['id', 'url', 'title', 'content_html', 'date_published', 'date_modified'],
  {
    id: text,
    url,
    title: { type: 'string' },
    content_html: { type: 'string' },
    date_published: timestamp,
    date_modified: timestamp,
  },
  { summary: text, tags: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
);

export const jsonFeedSchema = closedObject(
  ['version', 'title', 'home_page_url', 'feed_url', 'language', 'authors', 'items'],
  {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: url,
    feed_url: url,
    language: { type: 'string', pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
    authors: { type: 'array', minItems: 1, items: closedObject(['name'], { name: text }) },
    items: { type: 'array', maxItems: 50, items: item },
  },
);
