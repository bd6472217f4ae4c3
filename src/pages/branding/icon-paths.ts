// The console bundles this file: it imports nothing.

/**
 * Icons that differ in outline, so that they can be distinguished without colour: 16 × 16, with the background showing
 * through the cut-outs. Each is defined once a document and used by reference.
 */
export const iconPaths = {
  check: 'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8Zm3.4 4L7 9.2 4.8 7 3.6 8.2 7 11.6 12.6 6Z',
  alert:
    'M6.6 1.7a1.6 1.6 0 0 1 2.8 0l6.1 11a1.6 1.6 0 0 1-1.4 2.4H1.9A1.6 1.6 0 0 1 .5 12.7zM7.1 5.4v4.8h1.8V5.4z' +
    'm.9 6a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2Z',
  half: 'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8Zm0 1.7v11a5.5 5.5 0 0 0 0-11Z',
  wrench:
    'M14.9 4.1a4.3 4.3 0 0 1-5.7 5.2l-5.1 5.1a1.8 1.8 0 0 1-2.5-2.5l5.1-5.1A4.3 4.3 0 0 1 11.9 1.1' +
    'L9.3 3.7l.5 2.5 2.5.5Z',
  clock: 'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8Zm-.9 3v5l3.7 2.2.9-1.5-2.8-1.7v-4Z',
  crossed:
    'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8Z' +
    'M5.6 4.3 4.3 5.6 6.7 8l-2.4 2.4 1.3 1.3L8 9.3l2.4 2.4 1.3-1.3L9.3 8l2.4-2.4-1.3-1.3L8 6.7Z',
  minus: 'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8ZM4 6.9v2.2h8V6.9Z',
  octagon:
    'M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5Z' +
    'M5.6 4.3 4.3 5.6 6.7 8l-2.4 2.4 1.3 1.3L8 9.3l2.4 2.4 1.3-1.3L9.3 8l2.4-2.4-1.3-1.3L8 6.7Z',
  dot: 'M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7Z',
  question:
    'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8Z' +
    'M5.1 6.2h1.8a1.1 1.1 0 1 1 1.7 .9Q7.1 8 7.1 9.8h1.8q0-.7.8-1.2A2.9 2.9 0 1 0 5.1 6.2Z' +
    'M8 10.7a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2Z',
  info:
    'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8Zm-.9 6v5.4h1.8V6.8Z' +
    'M8 3.4a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2Z',
} as const;
