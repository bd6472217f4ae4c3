import { Ctx, Field, InputType, ObjectType, Resolver } from 'type-graphql';
import { requirePerson } from '../../auth/access.js';
import { Refusal } from '../../core/errors.js';
import { Json } from '../../core/scalars.js';
import type { Context } from '../../graphql/context.js';
import {
  DeletePayload,
  IdArg,
  InjectReader,
  InputArg,
  ReadField,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import type { FieldReader } from '../../records/field-reader.js';
import { Passkey } from './passkey.entity.js';
import {
  addPasskey,
  beginAuthentication,
  beginRegistration,
  deletePasskey,
  renamePasskey,
  signInWithPasskey,
} from './passkey.service.js';
import { findRelyingParty, type RelyingParty } from './relying-party.js';
import { beginIn, requireBrowser, SignInPayload } from './sign-in.payload.js';

@ObjectType({ description: 'What a browser is asked, for `PublicKeyCredential.parse...OptionsFromJSON` (WebAuthn).' })
class PasskeyOptionsPayload {
  @Field(() => Json, { description: 'The options. They work once, within 5 minutes.' })
  options!: object;
}

@InputType({ description: 'The name of a passkey.' })
class RenamePasskeyInput {
  @Field(() => String, { description: 'What the person calls it. Up to 255 characters. Cannot be blank.' })
  name!: string;
}

@InputType({ description: 'A passkey that a browser has created.' })
class CreatePasskeyInput extends RenamePasskeyInput {
  @Field(() => Json, { description: 'The credential as JSON: `credential.toJSON()`.' })
  credential!: unknown;
}

@InputType({ description: 'What a passkey has signed.' })
class SignInWithPasskeyInput {
  @Field(() => Json, { description: 'The credential as JSON: `credential.toJSON()`.' })
  credential!: unknown;
}

@ObjectType({ description: 'A passkey that was changed.' })
class PasskeyPayload {
  constructor(private readonly id: number) {}

  @ReadField(() => Passkey, 'The passkey, after the change.')
  passkey(@InjectReader() read: FieldReader) {
    return read.one([[Passkey, this.id]]);
  }
}

@Resolver()
export class PasskeyResolver {
  @WriteMutation(
    () => PasskeyOptionsPayload,
    'everyone',
    'Returns the options with which a browser creates a passkey for the signed-in person, who must have signed in ' +
      'within ' +
      'the last 10 minutes. UNAUTHENTICATED for others; FORBIDDEN where passkeys are not offered (`signInMethods`).',
    { waits: true, isSecret: true },
  )
  async requestPasskeyRegistration(@Ctx() context: Context): Promise<PasskeyOptionsPayload> {
    const person = requirePerson(context.caller, { isRecent: true });
    return { options: await beginRegistration(context.database, requireRelyingParty(context), person.personId) };
  }

  @WriteMutation(
    () => PasskeyPayload,
    'everyone',
    'Adds a passkey that a browser has created with the options of `requestPasskeyRegistration`, up to 20. INVALID ' +
      'for one of another origin, or of options that are unknown, used or too old.',
    { waits: true },
  )
  async createPasskey(
    @InputArg(() => CreatePasskeyInput) { name, credential }: CreatePasskeyInput,
    @Ctx() context: Context,
  ): Promise<PasskeyPayload> {
    const person = requirePerson(context.caller, { isRecent: true });
    const party = requireRelyingParty(context);
    return new PasskeyPayload(await addPasskey(context, party, person, { name, credential }));
  }

  @WriteMutation(() => PasskeyPayload, 'everyone', 'Renames a passkey of the signed-in person.')
  async renamePasskey(
    @IdArg('id') id: string,
    @InputArg(() => RenamePasskeyInput) { name }: RenamePasskeyInput,
    @Ctx() { caller, write }: Context,
  ): Promise<PasskeyPayload> {
    return new PasskeyPayload(await renamePasskey(write, requirePerson(caller), id, name));
  }

  @WriteMutation(
    () => DeletePayload,
    'everyone',
    'Deletes a passkey of the signed-in person, who must have signed in within the last 10 minutes.',
  )
  async deletePasskey(@IdArg('id') id: string, @Ctx() { caller, write }: Context): Promise<DeletePayload> {
    await deletePasskey(write, requirePerson(caller, { isRecent: true }), id);
    return { deletedId: id };
  }

  @WriteMutation(
    () => PasskeyOptionsPayload,
    'everyone',
    'Returns the options with which a browser signs in by any passkey of this service, without an address. FORBIDDEN ' +
      'where passkeys are not offered, and for any other origin than that of PUBLIC_URL.',
    { waits: true, isSecret: true },
  )
  async requestPasskeySignIn(@Ctx() context: Context): Promise<PasskeyOptionsPayload> {
    requireBrowser(context);
    return { options: await beginAuthentication(context.database, requireRelyingParty(context)) };
  }

  @WriteMutation(
    () => SignInPayload,
    'everyone',
    'Signs in by what a passkey has signed with the options of `requestPasskeySignIn`: once, within 5 minutes. Sets ' +
      'the cookie of a new session, and ends the session that the browser had. INVALID for any other credential.',
    { waits: true, isSecret: true },
  )
  async signInWithPasskey(
    @InputArg(() => SignInWithPasskeyInput, 'The signed credential.') { credential }: SignInWithPasskeyInput,
    @Ctx() context: Context,
  ): Promise<SignInPayload> {
    const browser = requireBrowser(context);
    const party = requireRelyingParty(context);
    return beginIn(browser, 'credential', await signInWithPasskey(context.database, party, credential, browser));
  }
}

function requireRelyingParty({ settings }: Context): RelyingParty {
  const party = findRelyingParty(settings);
  if (!party)
    throw new Refusal('FORBIDDEN', 'Passkeys need a PUBLIC_URL with https and a host name. See signInMethods.');
  return party;
}
