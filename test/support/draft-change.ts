const windows = 'windows { beginsAt endsAt cleared }';
const affected = 'affectedComponents { componentId impact hasRecovered cleared }';
const opening = 'subject content templateId componentIds tagList metadata hasNamedComponents shouldPublish cleared';

/** Everything that the change of a draft has. */
export const changeFields = `change {
  openIncident { ${opening} ${affected} state beganAt endedAt nextUpdateBy }
  scheduleMaintenance { ${opening} state beginsAt endsAt beganAt endedAt nextUpdateBy reminder
    shouldAutomateSchedule recurrence { rule timezone onMissingHour shouldPublish ${windows} cleared } }
  announce { ${opening} }
  advanceNotice { state content nextUpdateBy shouldPublish cleared }
  updateNotice { subject content componentIds tagList metadata hasNamedComponents shouldPublish cleared ${affected}
    state beginsAt endsAt beganAt endedAt nextUpdateBy reminder shouldAutomateSchedule }
  createNoticeUpdate { content kind state postedAt nextUpdateBy shouldPublish cleared }
}`;

/** The input that was saved: without what was not given, and with what was null. */
export function toInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toInput);
  if (typeof value !== 'object' || value === null) return value;
  const { cleared = [], ...fields } = value as Record<string, unknown> & { cleared?: string[] };
  const given = Object.entries(fields).flatMap(([name, one]) => (one === null ? [] : [[name, toInput(one)]]));
  return Object.fromEntries([...given, ...cleared.map(name => [name, null])]);
}
