import { createJsonFormat, type JsonFormat } from '../../graphql/input-json.js';
import { PreviewPublicationInput } from '../../notifications/preview/preview.inputs.js';

/** How the input of a draft is stored. */
export type InputFormat = JsonFormat<PreviewPublicationInput>;

export const createInputFormat = (schema: Parameters<typeof createJsonFormat>[0]): InputFormat =>
  createJsonFormat(schema, PreviewPublicationInput);
