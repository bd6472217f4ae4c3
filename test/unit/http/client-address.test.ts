import { expect, test } from '@jest/globals';
import { customerPrefix, toClientNetwork } from '../../../src/http/client-address.js';

test.each([
  ['192.0.2.7', undefined, '192.0.2.7'],
  ['::ffff:192.0.2.7', customerPrefix, '192.0.2.7'],
  ['2001:db8:1:2:3::4', undefined, '2001:db8:1:2::'],
  ['2001:db8:1:2:3::4', customerPrefix, '2001:db8:1::'],
])('the network of %s is, by a prefix of %s, %s', (address, prefix, network) => {
  expect(toClientNetwork(address, prefix)).toBe(network);
});
