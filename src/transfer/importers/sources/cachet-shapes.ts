import { z } from 'zod';
import { readFlag } from '../../../core/read-flag.js';
import { id, localTime, optionalId, optionalText } from '../convert-rows.js';

/** Version 3 has `{ value, human }` for a number, both null where there is none, and `{ string, human }` for a time. */
const number = z.preprocess(value => {
  const plain = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof plain === 'string' || typeof plain === 'boolean' ? Number(plain) : plain;
}, z.number().nullish());

/** The components that a subscriber chose: by id, by the row that links them, or as records of their own. */
const chosenComponents = z
  .array(
    z.union([
      id,
      z.object({ component_id: id }).transform(row => row.component_id),
      z.object({ component: z.object({ id }) }).transform(row => row.component.id),
    ]),
  )
  .nullish();

export function createShapes(zone: string) {
  const at = localTime(zone);
  const optional = z.preprocess(value => {
    const isObject = typeof value === 'object' && value !== null && 'string' in value;
    return (isObject ? value.string : value) || null;
  }, at.nullish());
  const times = { created_at: optional, created: optional, updated_at: optional, updated: optional };
  const update = z.object({ id, status: number, message: z.string(), ...times });
  return {
    update,
    incident: z.object({
      id,
      name: optionalText,
      message: optionalText,
      status: number,
      latest_status: number,
      component_id: optionalId,
      component_status: number,
      scheduled_at: optional,
      resolved_at: optional,
      resolved: optional,
      completed_at: optional,
      ended_at: optional,
      occurred_at: optional,
      occurred: optional,
      updates: z.array(z.unknown()).nullish(),
      ...times,
      components: z.array(z.object({ id })).nullish(),
    }),
    schedule: z.object({
      id,
      name: optionalText,
      message: optionalText,
      status: number,
      updates: z.array(z.unknown()).nullish(),
      scheduled_at: optional,
      scheduled: optional,
      completed_at: optional,
      completed: optional,
      ...times,
      components: z.array(z.object({ id, component_id: optionalId })).nullish(),
    }),
    subscriber: z.object({
      id,
      email: optionalText,
      phone_number: optionalText,
      global: number,
      verified_at: optional,
      email_verified_at: optional,
      // A flag beside `verified_at`, or the time itself.
      verified: z.preprocess(value => readFlag(value) ?? value, z.union([z.boolean(), optional]).nullish()),
      subscriptions: chosenComponents,
      component_ids: chosenComponents,
      components: z.array(z.union([id, z.object({ id }).transform(row => row.id)])).nullish(),
    }),
    component: z.object({
      id,
      name: z.string(),
      description: optionalText,
      order: number,
      group_id: optionalId,
      component_group_id: optionalId,
      group: z.object({ id }).nullish(),
      ...times,
    }),
    group: z.object({ id, name: z.string(), order: number, ...times }),
  };
}
export type Shapes = ReturnType<typeof createShapes>;
