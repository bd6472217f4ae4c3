import ipaddr from 'ipaddr.js';

/** All public IPv6 addresses that are assigned so far; those outside map to IPv4, or are not routed. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Public by its range, but the metadata service of Azure. */
const metadataServices = new Set(['168.63.129.16']);

/** Whether an address is public: not loopback, private, carrier-grade NAT, cloud metadata, nor mapped to one. */
export function isPublicIp(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || metadataServices.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
