import { expect, test } from '@jest/globals';
import { renderGreeting } from '../../../src/server/greeting.js';
import type { Service } from '../../../src/server/service.js';
import { createTestSettings } from '../../support/settings.js';

const greet = (settings: object) =>
  renderGreeting({ settings: { ...createTestSettings(), ...settings }, port: 3000 } as unknown as Service);

test.each([
  [{ publicUrl: 'https://status.example.com' }, 'https://status.example.com/console/'],
  [
    { publicUrl: 'https://status.example.com', consoleUrl: 'https://console.example.com' },
    'https://console.example.com/console/',
  ],
])('every start says where the console is: %j', (settings, url) => {
  expect(greet(settings)).toContain(`\n  Console   ${url}\n`);
});
