import { createJsonFormat, type JsonFormat } from '../../graphql/stored-input.js';
import { NoticeChangeInput } from '../../notifications/preview/preview.inputs.js';

/** How the input of a draft is stored. */
export type InputFormat = JsonFormat<NoticeChangeInput>;

export const createInputFormat = (schema: Parameters<typeof createJsonFormat>[0]): InputFormat =>
  createJsonFormat(schema, NoticeChangeInput);
