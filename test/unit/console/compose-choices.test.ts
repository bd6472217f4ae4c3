import { expect, test } from '@jest/globals';
import { listChoices } from '../../../console/src/compose/choices.ts';

test('The page of a draft comes before the others, also where an id has digits alone', () => {
  const choices = listChoices({ pageId: 'ba7d39ec', choice: {}, others: { '12345678': {}, ab: {} } });
  expect(choices.map(([pageId]) => pageId)).toEqual(['ba7d39ec', '12345678', 'ab']);
});
