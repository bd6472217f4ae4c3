/** A list of records that are matched by id or name, as a section of the file. */
interface RecordList {
  /** What one record is called. */
  kind: string;
  /** The type of the API: its mutations are `create<type>`, `update<type>` and `delete<type>`. */
  type: string;
  /** The query that lists the records of a page. */
  query: string;
  description: string;
  /** Whether the records name components. */
  hasComponents: boolean;
  /** Fields that the API returns as '' where they have no value. */
  blankable: readonly string[];
}

/** The sections that are such lists, by name. A further kind of record is a line here. */
export const recordLists = {
  templates: {
    kind: 'template',
    type: 'NoticeTemplate',
    query: 'noticeTemplates',
    description: 'Prepared notices.',
    hasComponents: true,
    blankable: [],
  },
  metrics: {
    kind: 'metric',
    type: 'Metric',
    query: 'metrics',
    hasComponents: false,
    blankable: [],
    description: 'Numbers that the page shows over time. Their values are sent, and not in the file.',
  },
} as const satisfies Record<string, RecordList>;

export type ListName = keyof typeof recordLists;
export type ListKind = (typeof recordLists)[ListName]['kind'];

export const listNames = Object.keys(recordLists) as ListName[];

/** An object with a value for each of the sections. */
export const mapLists = <Value>(makeValue: (name: ListName, list: RecordList) => Value): Record<ListName, Value> =>
  Object.fromEntries(listNames.map(name => [name, makeValue(name, recordLists[name])])) as Record<ListName, Value>;
