import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { findObstacle, getHost } from '../../../console/src/domain/obstacle.ts';
import { joinOtherErrors, toFieldErrors, toFormErrors } from '../../../console/src/ui/field-errors.ts';
import { saveCsv } from '../../../console/src/ui/files.ts';

test('an error of a field that is not on the screen is said above the buttons', () => {
  const errors = toFieldErrors([
    { path: ['input', 'occursAt'], message: '`occursAt` is over.' },
    { path: ['input', 'beginsAt'], message: '`beginsAt` is in the past.' },
    { path: [], message: 'It has ended.' },
  ]);
  expect(joinOtherErrors(errors, ['beginsAt'])).toBe('occursAt is over. It has ended.');
  expect(joinOtherErrors(errors, ['beginsAt', 'occursAt', ''])).toBeUndefined();
});

test('a form says beside its fields what belongs to them, and above the buttons the rest', () => {
  const userErrors = [
    { path: ['input', 'name'], message: '`name` is taken.' },
    { path: ['input', 'parentId'], message: '`parentId` has too many components.' },
    { path: ['pageId'], message: 'The page is full.' },
  ];
  const { errors, others } = toFormErrors(userErrors, ['name']);
  expect(errors.name).toBe('name is taken.');
  expect(others).toBe('parentId has too many components. The page is full.');
  expect(toFormErrors(undefined, ['name'])).toEqual({ errors: {}, others: undefined });
});

test('no form of the console leaves out the errors of fields that it does not show', () => {
  const files = globSync('console/src/**/*.tsx').filter(file => file !== 'console/src/first-run/create-page.tsx');
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter(file => readFileSync(file, 'utf8').includes("errors['']"))).toEqual([]);
});

test.each([
  ['http://3f8a2c1e.localhost:3000', 'a loopback address'],
  ['http://localhost:3000/status/3f8a2c1e', 'a loopback address'],
  ['http://3f8a2c1e.127.0.0.1', 'a loopback address'],
  ['http://[::1]:3000/status/3f8a2c1e', 'a loopback address'],
  ['http://3f8a2c1e.203.0.113.7:8080/', 'an IP address'],
  ['http://3f8a2c1e.[2001:db8::1]:8080', 'an IP address'],
  ['https://3f8a2c1e.status.example.com', undefined],
  ['https://status.127.example.com', undefined],
])('of %s, DNS cannot lead there: %s', (url, obstacle) => {
  expect(findObstacle(getHost(url))).toBe(obstacle);
});

test('a page that was deleted is not saved as an empty file', () => {
  expect(() => saveCsv('subscribers.csv', undefined)).toThrow('The page does not exist');
});
