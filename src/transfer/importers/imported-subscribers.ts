import type { CsvRow } from '../../subscribers/subscriber-csv.js';
import type { ImportedSubscriber, LeftOut } from './imported-page.js';

/** Subscribers as rows of a list, whose line is their index. `componentIds` are the ids here by those of the source. */
export function toSubscriberRows(
  subscribers: readonly ImportedSubscriber[],
  componentIds: ReadonlyMap<string, number>,
  leftOut: LeftOut[],
): CsvRow[] {
  return subscribers.flatMap((subscriber, line) => {
    const { sourceId, componentIds: chosen, consentedAt } = subscriber;
    const ids = chosen?.flatMap(id => componentIds.get(id) ?? []);
    // Without components it would be about all of them.
    if (ids?.length === 0) {
      leftOut.push({ kind: 'subscriber', sourceId, reason: 'chose only components that are not there' });
      return [];
    }
    return [{ line, consentedAt, values: toCells(subscriber, ids) }];
  });
}

const toCells = (
  {
    email,
    phoneNumber,
    firstName,
    lastName,
    nickname,
    company,
    tags,
    kinds,
    consentSource,
    ownComponentIds,
  }: ImportedSubscriber,
  ids: readonly number[] = [],
): CsvRow['values'] => ({
  email,
  phone_number: phoneNumber,
  first_name: firstName,
  last_name: lastName,
  nickname,
  company,
  kinds,
  tag_list: tags,
  component_ids: ownComponentIds ?? ids.join(' '),
  consent_source: consentSource,
});
