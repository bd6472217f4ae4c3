import { parsePublicUrl, type Settings } from '../core/config.js';
import type { DnsOptions } from '../pages/custom-domain/custom-domain.service.js';
import { createDnsClient } from '../pages/custom-domain/dns-query.js';

export const createDnsOptions = (settings: Settings): DnsOptions => ({
  queryDns: createDnsClient(settings),
  baseHost: parsePublicUrl(settings).baseHost,
});
