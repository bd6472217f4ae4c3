import { z } from 'zod';
import { id, optionalId, optionalText, optionalTime, time } from '../convert-rows.js';

export const pageShape = z.object({
  name: z.string(),
  page_description: optionalText,
  url: optionalText,
  support_url: optionalText,
  time_zone: optionalText,
  hidden_from_search: z.boolean().nullish(),
});

export const componentShape = z.object({
  id,
  group_id: optionalId,
  name: z.string(),
  description: optionalText,
  position: z.int().nullish(),
  created_at: optionalTime,
});

export const updateShape = z.object({
  id,
  status: z.string(),
  body: optionalText,
  display_at: optionalTime,
  created_at: time,
  affected_components: z.array(z.object({ code: id, new_status: z.string() })).nullish(),
});
export type StatuspageUpdate = z.infer<typeof updateShape>;

export const incidentShape = z.object({
  id,
  name: optionalText,
  status: z.string(),
  impact: optionalText,
  scheduled_for: optionalTime,
  scheduled_until: optionalTime,
  started_at: optionalTime,
  resolved_at: optionalTime,
  created_at: time,
  postmortem_body: optionalText,
  postmortem_published_at: optionalTime,
  components: z.array(z.object({ id })).nullish(),
  incident_updates: z.array(z.unknown()).nullish(),
});
export type Incident = z.infer<typeof incidentShape>;

export const subscriberShape = z.object({
  id,
  mode: z.string(),
  email: optionalText,
  phone_number: optionalText,
  phone_country: optionalText,
  components: z.array(id).nullish(),
  created_at: optionalTime,
});
