import { z } from 'zod';
import { noticeTypes } from '../../../notices/notice.states.js';
import { id, optionalId, optionalText, time } from '../convert-rows.js';

/** Records as the REST interface `/v1` answers them, also in its older form: `nil` for null, and times with blanks. */
const unset = (value: unknown) => (value === 'nil' || value === '' ? null : value);
const optionalTime = z.preprocess(unset, time.nullish());
const tags = z
  .union([z.array(z.string()), z.string().transform(list => list.split(','))])
  .transform(list => list.map(tag => tag.trim()).filter(Boolean))
  .nullish();
/** Required: a record without them would be about all components. */
const components = z.array(z.object({ id }));
const times = { created_at: time, updated_at: optionalTime };

export const pageShape = z.object({
  id: z.string(),
  ...times,
  name: z.string(),
  timezone: optionalText,
  support_email: optionalText,
  support_telephone: optionalText,
  support_url: optionalText,
  website_url: optionalText,
  visible_to_search: z.boolean().nullish(),
  meta_title: optionalText,
  meta_description: optionalText,
  vendor_analytics_id: optionalText,
  timeline_threshold: z
    .int()
    .positive()
    .max(2 ** 31 - 1)
    .nullish(),
  timeline_sort_order: z.enum(['asc', 'desc']).nullish(),
  locale: optionalText,
});

export const componentShape = z.object({
  id,
  ...times,
  name: z.string(),
  description: optionalText,
  position: z.int().nullish(),
  parent_id: optionalId,
  state: optionalText,
});

export const updateShape = z.object({
  id,
  ...times,
  content: z.string(),
  should_publish: z.boolean().nullish(),
});

export const noticeShape = z.object({
  id,
  ...times,
  type: z.enum(noticeTypes),
  subject: optionalText,
  state: optionalText,
  begins_at: optionalTime,
  ends_at: optionalTime,
  began_at: optionalTime,
  ended_at: optionalTime,
  should_automate_schedule: z.boolean().nullish(),
  link: optionalText,
  tag_list: tags,
  components,
  updates: z.array(z.unknown()),
});

export const templateShape = z.object({
  id: z.string(),
  ...times,
  name: z.string(),
  subject: optionalText,
  initial_comment: optionalText,
  component_id: optionalId,
});

export const subscriberShape = z.object({
  id,
  ...times,
  email: optionalText,
  phone_number: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  nickname: optionalText,
  company: optionalText,
  tag_list: tags,
  components,
});
export type V1Page = z.infer<typeof pageShape>;
export type V1Notice = z.infer<typeof noticeShape>;
export type V1Subscriber = z.infer<typeof subscriberShape>;
