/**
 * The script of the sign-in page: passkeys, by the functions of WebAuthn that read and write JSON. A browser without
 * them is offered the other ways.
 */
const canUsePasskeys = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
const message = document.querySelector('#status')!;

async function send(query: string, variables?: object) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}

const toJson = (credential: Credential | null) => (credential as PublicKeyCredential).toJSON();

const actions: Record<string, (data: DOMStringMap) => Promise<void>> = {
  async signIn({ to }) {
    const { requestPasskeySignIn } = await send('mutation { requestPasskeySignIn { options } }');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(requestPasskeySignIn.options);
    const credential = await navigator.credentials.get({ publicKey });
    await send('mutation($credential: JSON!) { signInWithPasskey(input: { credential: $credential }) { email } }', {
      credential: toJson(credential),
    });
    location.assign(to!);
  },
  async add() {
    const { requestPasskeyRegistration } = await send('mutation { requestPasskeyRegistration { options } }');
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(requestPasskeyRegistration.options);
    const credential = await navigator.credentials.create({ publicKey });
    await send(
      'mutation($name: String!, $credential: JSON!) { createPasskey(input: { name: $name, credential: $credential }) ' +
        '{ passkey { id } } }',
      { name: document.querySelector<HTMLInputElement>('#name')!.value, credential: toJson(credential) },
    );
    location.reload();
  },
  async remove({ id }) {
    await send('mutation($id: ID!) { deletePasskey(id: $id) { deletedId } }', { id });
    location.reload();
  },
};

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-action]')) {
  button.closest<HTMLElement>('[data-passkeys]')!.hidden = !canUsePasskeys;
  button.addEventListener('click', async () => {
    message.textContent = '';
    button.disabled = true;
    try {
      await actions[button.dataset.action!]!(button.dataset);
    } catch (error) {
      const { name, message: reason } = error as Error;
      // The browser says in one way that a person has cancelled, has no passkey, or took too long.
      message.textContent = name === 'NotAllowedError' ? 'No passkey was used. Try again, or another way.' : reason;
    }
    button.disabled = false;
  });
}

export {};
