import { expect, test } from '@jest/globals';
import { bannerText } from '../../../../src/status-page/view/banner-text.js';
import { getTranslator } from '../../../../src/i18n/translator.js';
import { component, notice, createView } from '../../../support/page-views.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = (...componentIds: number[]) => notice(7, 'unplanned', 'identified', { componentIds });
const maintenance = (...componentIds: number[]) => notice(8, 'planned', 'underway', { componentIds });

test.each([
  ['no notice is present', [], 'All systems operational'],
  [
    'maintenance is only scheduled',
    [notice(8, 'planned', 'scheduled', { componentIds: [2] })],
    'All systems operational',
  ],
  ['an incident names one component', [incident(2)], 'Degraded: Checkout'],
  ['an incident names several components', [incident(2, 3)], 'Some systems are degraded'],
  ['an incident covers all components', [incident(1, 3)], 'All systems are degraded'],
  ['an incident names no component', [incident()], 'We are experiencing problems'],
  ['one component is under maintenance', [maintenance(3)], 'Under maintenance: Search'],
  ['several components are under maintenance', [maintenance(2, 3)], 'Some systems are under maintenance'],
  ['all components are under maintenance', [maintenance(1, 3)], 'All systems are under maintenance'],
  ['maintenance names no component', [maintenance()], 'Maintenance is in progress'],
  ['maintenance and an incident are present', [maintenance(3), incident(2)], 'Degraded: Checkout'],
])('when %s, the banner is the sentence for it', (_, notices, sentence) => {
  expect(bannerText(createView({ components, notices }).banner, getTranslator('en'))).toBe(sentence);
});

test('the banner of a page without components says that no incidents are reported', () => {
  expect(bannerText(createView({ components: [], notices: [] }).banner, getTranslator('en'))).toBe(
    'No incidents reported',
  );
});
