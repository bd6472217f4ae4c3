import { expect, test } from '@jest/globals';
import { customerPrefix, toClientNetwork, toCountedNetworks } from '../../../src/http/client-address.js';

test.each([
  ['192.0.2.7', undefined, '192.0.2.7'],
  ['::ffff:192.0.2.7', customerPrefix, '192.0.2.7'],
  ['2001:db8:1:2:3::4', undefined, '2001:db8:1:2::'],
  ['2001:db8:1:2:3::4', customerPrefix, '2001:db8:1::'],
])('the network of %s is, by a prefix of %s, %s', (address, prefix, network) => {
  expect(toClientNetwork(address, prefix)).toBe(network);
});

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:db8:1:2:3::4', ['2001:db8:1:2::', '2001:db8:1::/48']],
  // Not the name of the first of its networks.
  ['2001:db8:1::4', ['2001:db8:1::', '2001:db8:1::/48']],
  ['', ['']],
])('%s counts for %j', (address, networks) => {
  expect(toCountedNetworks(address).map(({ network }) => network)).toEqual(networks);
});
