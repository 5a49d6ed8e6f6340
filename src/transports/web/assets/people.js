// Passkeys, where the browser has them, and forms that are sent once. Without this file there are codes by mail.
import { find, say } from './page.js';
import { times } from './times.js';

const has = (name) => typeof globalThis.PublicKeyCredential?.[name] === 'function';
const able = has('parseRequestOptionsFromJSON') && has('parseCreationOptionsFromJSON') && isSecureContext;

/** A passkey belongs to a host name; where the page came by another, there is none to be had. */
const isHere = (rpId) => location.hostname === rpId || location.hostname.endsWith(`.${rpId}`);

const WORDS = {
  NotAllowedError: 'No passkey was used. Try again, or sign in with a code.',
  InvalidStateError: 'This device has a passkey for your address already.',
};

let waiting;

async function credentialFor(form, mediation) {
  waiting?.abort();
  const controller = new AbortController();
  waiting = controller;
  const json = JSON.parse(form.dataset.options);
  if (form.dataset.passkey === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    return navigator.credentials.create({ publicKey, signal: controller.signal });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return navigator.credentials.get({ publicKey, signal: controller.signal, ...(mediation && { mediation }) });
}

function hand(form, credential) {
  find('[name=response]', form).value = JSON.stringify(credential.toJSON());
  // Not `requestSubmit`: that would ask for a passkey again.
  form.submit();
}

function tell(form, error) {
  if (error.name === 'AbortError') return;
  const place = find('[data-passkey-fault]', form);
  const making = form.dataset.passkey === 'create' && error.name === 'NotAllowedError';
  place.textContent = making
    ? 'No passkey was made. Try again, or go on without one.'
    : (WORDS[error.name] ?? 'This passkey did not work here. Sign in with a code.');
  place.hidden = false;
  say(place.textContent);
}

async function autofill(form) {
  if (!has('isConditionalMediationAvailable') || find('[autocomplete~=webauthn]') === null) return;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  credentialFor(form, 'conditional').then(
    (credential) => hand(form, credential),
    // Nobody asked for it, so nobody is told that nothing came of it.
    () => {},
  );
}

for (const form of document.querySelectorAll('[data-passkey]')) {
  const { rpId, rp } = JSON.parse(form.dataset.options);
  if (!able || !isHere(rpId ?? rp.id)) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    credentialFor(form).then(
      (credential) => hand(form, credential),
      (error) => tell(form, error),
    );
  });
  // One that was refused is not offered again by itself.
  if (form.dataset.passkey === 'get' && find('#passkey-fault') === null) void autofill(form);
}
if (able) for (const field of document.querySelectorAll('[data-passkeys]')) field.value = 'yes';

// A second click would ask for a second code, or show that the first was used.
const ONCE_MS = 8000;
for (const form of document.querySelectorAll('[data-once]')) {
  const button = find('button', form);
  const open = () => {
    delete form.dataset.sent;
    button.removeAttribute('aria-disabled');
  };
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent !== undefined) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = '';
    button.setAttribute('aria-disabled', 'true');
    setTimeout(open, ONCE_MS);
  });
  // As the page comes back from the browser's memory.
  addEventListener('pageshow', open);
}
times();
