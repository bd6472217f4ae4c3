import { Field, ID, ObjectType } from 'type-graphql';
import type { SignedIn } from '../../auth/session.service.js';
import { parseConsoleUrl } from '../../core/config.js';
import { invalid, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { Context } from '../../graphql/context.js';
import type { Browser } from '../../http/browser.js';

@ObjectType({
  description: 'A person who has signed in: the response sets the cookie of the session. See `viewer` for the rest.',
})
export class SignInPayload {
  @Field(() => ID, { description: 'The id of the person.' })
  personId!: number;

  @Field(() => String, { description: 'The e-mail address of the person.' })
  email!: string;
}

/** Sets the cookie of a session that has begun, or refuses the argument that should have proved the identity. */
export function beginIn(browser: Browser, argument: string, signedIn: SignedIn | null): SignInPayload {
  if (!signedIn) throw invalid({ [argument]: [problems.unusable('is wrong, was used, or is too old. Begin again.')] });
  browser.setSession(signedIn.secret);
  const { personId, email } = signedIn;
  return { personId, email };
}

/** Another site must not sign its visitors in as somebody else, and cannot send them mails. */
export function requireBrowser({ browser, settings }: Context): Browser {
  const { origin } = parseConsoleUrl(settings);
  if (!browser) throw new Refusal('FORBIDDEN', `Sign in from a page of ${origin}: this request comes from elsewhere.`);
  return browser;
}
