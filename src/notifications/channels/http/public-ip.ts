import ipaddr from 'ipaddr.js';

/** All that the world hands out of IPv6 so far; what lies outside leads back to IPv4 or stays at home. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Looks like any address of the world, and is the inside of a cloud: where its machines ask for their settings. */
const inside = new Set(['168.63.129.16']);

/** Whether an address is one of the open internet: not of this machine, of a private network, of a carrier, of a cloud's inside, nor one that leads to such. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || inside.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
