import { expect, test } from '@jest/globals';
import { bannerText } from '../../../src/status-page/view/banner-text.js';
import { textsOf } from '../../../src/i18n/translator.js';
import { component, notice, viewFor } from '../../support/page-views.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = (...componentIds: number[]) => notice(7, 'unplanned', 'identified', { componentIds });
const maintenance = (...componentIds: number[]) => notice(8, 'planned', 'underway', { componentIds });

test.each([
  ['nothing is present', [], 'All systems operational'],
  [
    'maintenance is only announced',
    [notice(8, 'planned', 'scheduled', { componentIds: [2] })],
    'All systems operational',
  ],
  ['one is hit', [incident(2)], 'Checkout is degraded'],
  ['several are hit', [incident(2, 3)], 'Some systems are degraded'],
  ['all are hit', [incident(1, 3)], 'All systems are degraded'],
  ['none is named', [incident()], 'We are experiencing problems'],
  ['one is under maintenance', [maintenance(3)], 'Search is under maintenance'],
  ['several are under maintenance', [maintenance(2, 3)], 'Some systems are under maintenance'],
  ['all are under maintenance', [maintenance(1, 3)], 'All systems are under maintenance'],
  ['maintenance names none', [maintenance()], 'Maintenance is in progress'],
  ['maintenance runs beside a fault', [maintenance(3), incident(2)], 'Checkout is degraded'],
])('when %s it says so', (_, notices, sentence) => {
  expect(bannerText(viewFor({ components, notices }).banner, textsOf('en'))).toBe(sentence);
});
