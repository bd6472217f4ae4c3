import { Ctx, Field, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { invalid, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { Context } from '../../graphql/context.js';
import { registerEnum } from '../../graphql/enum.js';
import { InputArg, WriteMutation } from '../../graphql/field-decorators.js';
import { endSession } from '../person.service.js';
import { parseEmailAddress } from '../../core/address.js';
import { redeemEmailCode, requestEmailCode } from './email-code.service.js';
import { beginIn, requireBrowser, SignInPayload } from './sign-in.payload.js';
import { findSignInMethods, offersMethod, type SignInMethod, signInMethods } from './sign-in-methods.js';

const SignInMethods = registerEnum('SignInMethod', signInMethods, 'A way to sign in.');

@ObjectType({ description: 'A code that was asked for. It says nothing about whether somebody has the address.' })
class RequestSignInCodePayload {
  @Field(() => String, { description: 'The address, to which a mail is on its way if a person has it.' })
  email!: string;
}

@ObjectType({ description: 'The end of a session.' })
class SignOutPayload {
  @Field(() => Boolean, { description: 'Whether there was a session.' })
  hasEnded!: boolean;
}

@InputType({ description: 'Who asks for a code.' })
class RequestSignInCodeInput {
  @Field(() => String, { description: 'The address of the person, in any case.' })
  email!: string;
}

@InputType({ description: 'A code that was sent to an address.' })
class SignInWithCodeInput extends RequestSignInCodeInput {
  @Field(() => String, { description: 'The 8 digits. Spaces do not count.' })
  code!: string;
}

@Resolver()
export class SignInResolver {
  @RequiresAccess('everyone')
  @Query(() => [SignInMethods], {
    description: 'Returns the ways to sign in that this service offers. Open to everyone.',
  })
  signInMethods(@Ctx() { settings }: Context): SignInMethod[] {
    return findSignInMethods(settings);
  }

  @WriteMutation(
    () => RequestSignInCodePayload,
    'everyone',
    'Sends a code of 8 digits to the person with an address, and binds it by a cookie to the browser that asks; the ' +
      'one that this browser requested before is void. In an hour a network gets 5 codes for an address and 20 for ' +
      'all, and an address 30 from all networks, then THROTTLED, whether or not somebody has the address. FORBIDDEN ' +
      'where mail is not configured, and for any other origin than that of PUBLIC_URL.',
    { waits: true, isSecret: true },
  )
  async requestSignInCode(
    @InputArg(() => RequestSignInCodeInput, 'The address.') { email: given }: RequestSignInCodeInput,
    @Ctx() context: Context,
  ): Promise<RequestSignInCodePayload> {
    requireMethod(context, 'email_code');
    const browser = requireBrowser(context);
    const email = parseEmailAddress(given);
    if (!email) throw invalid({ email: [problems.invalid('must be an e-mail address')] });
    const mail = await requestEmailCode(context.database, email, browser);
    if (mail) context.services.sendSignInCode(mail.to, mail.code);
    return { email };
  }

  @WriteMutation(
    () => SignInPayload,
    'everyone',
    'Signs in with the newest code that this browser requested for an address: once, within 15 minutes, and with at ' +
      'most 5 tries. Sets the cookie of a new session, and ends the session that the browser had. INVALID for a ' +
      'wrong code, and for one that another browser requested.',
    { waits: true, isSecret: true },
  )
  async signInWithCode(
    @InputArg(() => SignInWithCodeInput, 'The address and the code.') { email, code }: SignInWithCodeInput,
    @Ctx() context: Context,
  ): Promise<SignInPayload> {
    requireMethod(context, 'email_code');
    const browser = requireBrowser(context);
    return beginIn(browser, 'code', await redeemEmailCode(context.database, { email, code }, browser));
  }

  @WriteMutation(() => SignOutPayload, 'everyone', 'Ends the session of this browser, and removes its cookie.')
  async signOut(@Ctx() context: Context): Promise<SignOutPayload> {
    const { caller } = context;
    const browser = requireBrowser(context);
    const isPerson = caller.kind === 'person';
    if (isPerson) await endSession(context, caller, String(caller.sessionId));
    browser.removeSession();
    return { hasEnded: isPerson };
  }
}

function requireMethod({ settings }: Context, method: SignInMethod): void {
  if (!offersMethod(settings, method))
    throw new Refusal('FORBIDDEN', 'This service does not offer this way to sign in: see signInMethods.');
}
