import type { Outcome } from './channel.js';
import type { SuspensionRule } from './suspension-rule.js';

/** What the channels have in common whose recipients are URLs of programs: webhooks, and push services of browsers. */

const suspension: SuspensionRule = {
  messages: 1,
  counts: 'unaccepted',
  description: 'did not accept a message for 75 hours, or is gone',
};

export const endpointRules = {
  // 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: 75 hours, as Standard Webhooks proposes.
  retryDelays: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  suspension,
} as const;

/**
 * Any response but 2xx is tried again by the schedule, a redirect included, except those by which it says that it is
 * gone. What refuses is the program of the recipient, so that no refusal is about us; too many requests do not count.
 */
export function toEndpointOutcome(outcome: Outcome, status: number, goneStatuses: readonly number[]): Outcome {
  const { response } = outcome;
  if (outcome.kind === 'refused' && !goneStatuses.includes(status)) return { kind: 'failed', response };
  return outcome.kind === 'failed' && outcome.deferral === 'sender' ? { kind: 'failed', response } : outcome;
}
