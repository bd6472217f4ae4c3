/**
 * The script of the sign-in page: passkeys, by the functions of WebAuthn that read and write JSON. A browser without
 * them is offered the other ways.
 */
export const script = `
const canUsePasskeys = !!window.PublicKeyCredential && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
const status = document.getElementById('status');
const ask = async (query, variables) => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data;
};
const actions = {
  async signIn(button) {
    const { requestPasskeySignIn } = await ask('mutation { requestPasskeySignIn { options } }');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(requestPasskeySignIn.options);
    const credential = await navigator.credentials.get({ publicKey });
    await ask('mutation($credential: JSON!) { signInWithPasskey(credential: $credential) { email } }', {
      credential: credential.toJSON(),
    });
    location.assign(button.dataset.to);
  },
  async add() {
    const { requestPasskeyRegistration } = await ask('mutation { requestPasskeyRegistration { options } }');
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(requestPasskeyRegistration.options);
    const credential = await navigator.credentials.create({ publicKey });
    await ask(
      'mutation($name: String!, $credential: JSON!) { createPasskey(name: $name, credential: $credential) { passkey { id } } }',
      { name: document.getElementById('name').value, credential: credential.toJSON() },
    );
    location.reload();
  },
  async remove(button) {
    await ask('mutation($id: ID!) { deletePasskey(id: $id) { id } }', { id: button.dataset.id });
    location.reload();
  },
};
for (const button of document.querySelectorAll('[data-action]')) {
  button.closest('[data-passkeys]').hidden = !canUsePasskeys;
  button.addEventListener('click', async () => {
    status.textContent = '';
    button.disabled = true;
    try {
      await actions[button.dataset.action](button);
    } catch (error) {
      // The browser says in one way that a person has cancelled, has no passkey, or took too long.
      status.textContent = error.name === 'NotAllowedError' ? 'No passkey was used. Try again, or another way.' : error.message;
    }
    button.disabled = false;
  });
}
`;
