import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RendererBusy, type ThemeSource } from '../../../../src/status-page/themes/render-job.js';
import { RenderSlots } from '../../../../src/status-page/themes/render-slots.js';
import { slowRenderingMs, ThemeUsage } from '../../../../src/status-page/themes/theme-usage.js';

const createTheme = (): ThemeSource => ({ templates: new Map(), locales: new Map(), assets: new Map() });

let now: number;
let usage: ThemeUsage;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  usage = new ThemeUsage();
});
afterEach(() => void jest.restoreAllMocks());

/** Lets the themes wait for the only slot, in this order, and returns the order in which they get it. */
async function getTurns(themes: [name: string, theme: ThemeSource][]): Promise<string> {
  const slots = new RenderSlots(1, usage);
  expect(slots.tryAcquire()).toBe(true);
  const turns: string[] = [];
  const all = themes.map(async ([name, theme]) => {
    await slots.waitForTurn(theme);
    turns.push(name);
    slots.release();
  });
  slots.release();
  await Promise.all(all);
  expect(slots.tryAcquire()).toBe(true);
  return turns.join(' ');
}

test('at most as many renderings run as there are slots', async () => {
  const slots = new RenderSlots(2, usage);
  expect([slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, true, false]);
  expect(slots.hasWaiting).toBe(false);
  const third = slots.waitForTurn(createTheme());
  expect(slots.hasWaiting).toBe(true);
  slots.release();
  await third;
  expect(slots.tryAcquire()).toBe(false);
});

test('among themes that used little CPU time, the last to arrive is next', async () => {
  const [one, two, three] = [createTheme(), createTheme(), createTheme()];
  for (let time = 0; time < 10; time++) usage.add(three, 90);
  expect(
    await getTurns([
      ['one', one],
      ['two', two],
      ['three', three],
    ]),
  ).toBe('three two one');
});

test('a theme that was quick three times in a row goes before one that arrives later', async () => {
  const [proven, unproven, slowSince] = [createTheme(), createTheme(), createTheme()];
  for (let time = 0; time < 3; time++) usage.add(proven, 20);
  for (let time = 0; time < 2; time++) usage.add(unproven, 20);
  for (const cpuTimeMs of [20, 20, 20, slowRenderingMs, 20]) usage.add(slowSince, cpuTimeMs);
  expect(
    await getTurns([
      ['proven', proven],
      ['unproven', unproven],
      ['slow since', slowSince],
    ]),
  ).toBe('proven slow since unproven');
});

test('a theme that used more CPU time lately waits for the others', async () => {
  const [busy, busier, calm] = [createTheme(), createTheme(), createTheme()];
  for (let time = 0; time < 20; time++) usage.add(busy, 90);
  for (let time = 0; time < 30; time++) usage.add(busier, 90);
  expect(
    await getTurns([
      ['calm', calm],
      ['busier', busier],
      ['busy', busy],
    ]),
  ).toBe('calm busy busier');
  now += 30_000;
  expect(
    await getTurns([
      ['calm', calm],
      ['busier', busier],
      ['busy', busy],
    ]),
  ).toBe('busy busier calm');
});

test('a theme that needed less CPU time the last time is next among slow ones', async () => {
  const [slow, slower] = [createTheme(), createTheme()];
  usage.add(slower, 480);
  usage.add(slow, 160);
  expect(
    await getTurns([
      ['slow', slow],
      ['slower', slower],
    ]),
  ).toBe('slow slower');
});

test('a theme is slow until it was rendered quickly', () => {
  const theme = createTheme();
  expect(usage.wasSlow(theme)).toBe(false);
  usage.add(theme, slowRenderingMs);
  expect(usage.wasSlow(theme)).toBe(true);
  usage.add(theme, slowRenderingMs - 10);
  expect(usage.wasSlow(theme)).toBe(false);
});

test('a theme that gets no slot within 5 seconds is not at fault', async () => {
  const setTimeout = jest.spyOn(globalThis, 'setTimeout');
  const slots = new RenderSlots(1, usage);
  slots.tryAcquire();
  const waiting = slots.waitForTurn(createTheme());
  const [timeout, delayMs] = setTimeout.mock.calls[0]!;
  timeout();
  await expect(waiting).rejects.toBeInstanceOf(RendererBusy);
  expect([delayMs, slots.hasWaiting]).toEqual([5_000, false]);
});
