import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { previewAppearance } from '../../../../src/pages/branding/appearance.service.js';
import { setTheme } from '../../../../src/pages/branding/theme.service.js';
import { createThemeTries } from '../../../../src/pages/branding/theme-tries.js';
import type { Writer } from '../../../../src/records/writer.js';
import { writeZip } from '../../../support/zip-writer.js';

const zip = writeZip([{ name: 'status-page.liquid', content: '{{ page.name }}' }]);
const write = {
  readOnly: async () => ({ colours: {}, archive: zip }),
  transaction: async () => {},
} as unknown as Writer;

test('previews and tests of themes run one at a time, in turns of the pages', async () => {
  const order: string[] = [];
  let running = 0;
  const attempt = async (pageId: string) => {
    running += 1;
    expect(running).toBe(1);
    order.push(pageId);
    await wait(5);
    running -= 1;
  };
  const tryInTurn = createThemeTries();
  const renderAppearance = async (pageId: string) => {
    await attempt(pageId);
    return { html: '' };
  };
  const preview = (pageId: string) => {
    const input = { situation: 'ALL_WELL', theme: zip } as never;
    return previewAppearance(write, { renderAppearance, tryInTurn }, pageId, input);
  };
  const set = (pageId: string) => {
    const testTheme = async () => {
      await attempt(pageId);
      return null;
    };
    return setTheme(write, { testTheme, tryInTurn }, pageId, null, zip);
  };
  await Promise.all([preview('a'), preview('a'), preview('a'), set('a'), set('b'), preview('b')]);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
});
