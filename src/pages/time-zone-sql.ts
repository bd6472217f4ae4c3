import { quoteLiteral } from '../core/sql-literal.js';
import { timeZones } from './time-zones.js';

const idsByName = quoteLiteral(JSON.stringify(Object.fromEntries(timeZones.map(({ name, zone }) => [name, zone]))));

/** SQL: the identifier in the tz database of a time zone of the list. */
export const timeZoneIdSql = (name: string): string => `coalesce(${idsByName}::jsonb ->> ${name}, 'UTC')`;
