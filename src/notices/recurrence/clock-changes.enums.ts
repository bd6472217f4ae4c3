import { registerEnum } from '../../graphql/enum.js';
import { clockChangeEffects } from './clock-changes.js';
import { missingHours } from './recurrence.rules.js';

export const MissingHours = registerEnum(
  'MissingHour',
  missingHours,
  'What becomes of an occurrence whose time of day a change to summer time leaves out.',
);

export const ClockChangeEffects = registerEnum(
  'ClockChangeEffect',
  clockChangeEffects,
  'What a change of the clock does to an occurrence.',
);
