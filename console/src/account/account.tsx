import { AccountDocument } from '../api/documents.ts';
import { useRead, useSessionEnd } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { AlertPush } from './alert-push.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** How the person signs in, and where they are signed in. */
export default function Account() {
  const { email } = useSession();
  const { viewer, signInMethods } = useRead(AccountDocument, {});
  const person = viewer?.person;
  useSessionEnd(!person);
  if (!person) return null;
  return (
    <>
      <ScreenHeader title="Your account" above={email} />
      {signInMethods?.includes('PASSKEY') && (
        <Section title="Passkeys">
          <Passkeys passkeys={person.passkeys} />
        </Section>
      )}
      <Section title="Push messages about alerts">
        <AlertPush />
      </Section>
      <Section title="Sessions">
        <Sessions sessions={person.sessions} />
      </Section>
      <Section title="API">
        <p>
          <a href="/graphql">GraphQL</a> opens an editor with the rights of your session.
        </p>
      </Section>
    </>
  );
}
