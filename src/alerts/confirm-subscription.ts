import { Refusal } from '../core/errors.js';
import { ForbiddenTarget, requestGuarded, type SsrfGuard } from '../http/guarded-request.js';

const maxBodyLength = 64 * 1024;

/** Asks for the address of Amazon SNS that confirms a subscription. Redirects are not followed. */
export async function confirmSubscription(url: string, guard: SsrfGuard, request = requestGuarded): Promise<void> {
  const failed = (reason: string) =>
    new Refusal(
      'UNAVAILABLE',
      `The subscription could not be confirmed: ${reason} Open its SubscribeURL, or have SNS send it again.`,
    );
  let status: number;
  try {
    ({ status } = await request({ method: 'GET', url, headers: {}, maxBodyLength }, guard));
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const isForCaller = error instanceof ForbiddenTarget || message.startsWith('No response within');
    throw failed(isForCaller ? message : `SNS cannot be reached${code ? ` (${code})` : ''}.`);
  }
  if (status !== 200) throw failed(`SNS answers with the status ${status}.`);
}
