import { expect, test } from '@jest/globals';
import { frontPage } from '../../../../src/status-page/html/front-page.js';
import { completeRendering } from '../../../../src/status-page/routing/public-route.js';
import { buildSampleView, incident } from '../../../support/sample-pages.js';

test('a rendering lets other work run between its parts', async () => {
  const order: string[] = [];
  function* render() {
    order.push('first part');
    yield;
    order.push('second part');
    return { type: 'text/plain', body: 'complete' };
  }
  const completed = completeRendering(render());
  setImmediate(() => order.push('other work'));
  expect(await completed).toEqual({ type: 'text/plain', body: 'complete' });
  expect(order).toEqual(['first part', 'other work', 'second part']);
});

test('a response that is complete at once is that of the rendering', async () => {
  const response = { type: 'text/plain', body: 'complete' };
  expect(await completeRendering(response)).toBe(response);
  expect(await completeRendering(Promise.resolve(response))).toBe(response);
  expect(await completeRendering(null)).toBeNull();
});

test('the front page is rendered in parts, one a section', () => {
  const rendering = frontPage.render(buildSampleView(incident), { path: {}, query: {} });
  expect([...(rendering as Generator)]).toHaveLength(7);
});
