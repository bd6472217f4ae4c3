import type { RecordClass, RecordPath } from '../records/record-path.js';
import { Page } from './page.entity.js';

/** The path of a record of a page. Null: the page is not named, and the id alone finds the record. */
export const pageRecordPath = (pageId: string | null, record: RecordClass, id: string | number): RecordPath => [
  [Page, pageId],
  [record, id],
];
