import { expect, test } from '@jest/globals';
import { defaultColours } from '../../../../src/pages/branding/colour.js';
import { computeMailColours } from '../../../../src/notifications/messages/mail-colours.js';
import { createPalette } from '../../../../src/status-page/html/style/palette.js';

const image = { format: 'png' as const, hash: '0123456789abcdef', width: 100, height: 20 };
const navbarOf = (images: object) => {
  const palette = createPalette({ brand: defaultColours, images, banner: { kind: 'operational' } }, 'dark');
  return [palette.navbar, palette['navbar-link']];
};

test('the navbar keeps its light colours in the dark scheme behind a logo that has no dark one', () => {
  const dark = ['#191e24', '#e6e9ed'];
  expect(navbarOf({})).toEqual(dark);
  expect(navbarOf({ logo: image, logoDark: image })).toEqual(dark);
  expect(navbarOf({ favicon: image })).toEqual(dark);
  expect(navbarOf({ logo: image })).toEqual(['#f5f6f7', '#2c3e50']);
});

test('the colour of links in the header applies to the footer, as far as it is readable', () => {
  const linkOf = (colorHeaderLinks: string) =>
    createPalette(
      { brand: { ...defaultColours, colorHeaderLinks }, images: {}, banner: { kind: 'operational' } },
      'light',
    )['header-link'];
  expect(linkOf('#8e44ad')).toBe('#8e44ad');
  expect(linkOf('#fefefe')).toBe('#000000');
});

test.each(['light', 'dark'] as const)('a mail has the header of the page in the %s scheme', scheme => {
  const brand = { ...defaultColours, colorHeaderBackground: 'rgba(10,20,60,0.6)', colorBodyBackground: '#ffffff' };
  const palette = createPalette({ brand, images: {}, banner: { kind: 'operational' } }, scheme);
  const { header, headerText } = computeMailColours(brand, 'ok', scheme);
  expect([header, headerText]).toEqual([palette.header, palette['header-text']]);
});
