import { z } from 'zod';
import { type Conversion, convertRows } from './convert-rows.js';
import {
  type ImportedComponent,
  importedComponent,
  type ImportedNotice,
  importedNotice,
  type ImportedSubscriber,
  type ImportedTemplate,
  importedTemplate,
  type ImportedUpdate,
  importedUpdate,
  type LeftOut,
} from './imported-page.js';
import { type ImportedRecurrence, importedRecurrence } from './imported-recurrence.js';

interface Records {
  component: ImportedComponent;
  notice: ImportedNotice;
  update: ImportedUpdate;
  recurrence: ImportedRecurrence;
  template: ImportedTemplate;
  subscriber: ImportedSubscriber;
}

const schemas: { [Kind in keyof Records]: z.ZodType<Records[Kind]> } = {
  component: importedComponent,
  notice: importedNotice,
  update: importedUpdate,
  recurrence: importedRecurrence,
  template: importedTemplate,
  subscriber: z.custom<ImportedSubscriber>(),
};

/** Reads the rows of a source as records of an import: see `convertRows`. */
export const readRows = <Row, Kind extends keyof Records>(
  kind: Kind,
  leftOut: LeftOut[],
  source: Pick<Conversion<Row, unknown>, 'rows' | 'shape' | 'convert' | 'essential'>,
) => convertRows<Row, Records[Kind]>({ ...source, kind, leftOut, result: schemas[kind] });
