import { countRequest, type RequestMethod } from '../../subscribers/subscription-request.service.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

/** Counts a request to subscribe. Null if its network or the page has exceeded a cap. */
export async function countSubscribeRequest(
  { context, clientNetwork }: SubscribeRequest,
  { database, signingKey, refusedRequests, settings }: SubscribeDependencies,
  { method, recipient }: { method: RequestMethod; recipient: string },
): Promise<{ id: number; send: boolean } | null> {
  const counted = {
    pageId: context.view.page.id,
    method,
    recipient,
    caller: clientNetwork,
    smsCodesPerDay: settings.smsCodesPerDay,
  };
  if (refusedRequests.has(counted)) return null;
  const verdict = await countRequest(database, signingKey, counted);
  if (!('exceeded' in verdict)) return verdict;
  refusedRequests.add(counted, verdict.exceeded);
  return null;
}
