// Uses passkeys where the browser supports them, and prevents double submission. Without this script there are codes by
// mail.
import { find, say } from './page.js';
import { times } from './times.js';

const has = (name) => typeof globalThis.PublicKeyCredential?.[name] === 'function';
const able = has('parseRequestOptionsFromJSON') && has('parseCreationOptionsFromJSON') && isSecureContext;

/** A passkey belongs to a host name; a page loaded from another host cannot use it. */
const isHere = (rpId) => location.hostname === rpId || location.hostname.endsWith(`.${rpId}`);

const WORDS = {
  NotAllowedError: 'No passkey was used. Try again, or sign in with a code.',
  InvalidStateError: 'This device already has a passkey for your address.',
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
  // `requestSubmit` would ask for a passkey again.
  form.submit();
}

function showError(form, error) {
  if (error.name === 'AbortError') return;
  const place = find('[data-passkey-error]', form);
  const making = form.dataset.passkey === 'create' && error.name === 'NotAllowedError';
  place.textContent = making
    ? 'No passkey was made. Try again, or continue without one.'
    : (WORDS[error.name] ?? 'This passkey did not work here. Sign in with a code.');
  place.hidden = false;
  say(place.textContent);
}

async function autofill(form) {
  if (!has('isConditionalMediationAvailable') || find('[autocomplete~=webauthn]') === null) return;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  credentialFor(form, 'conditional').then(
    (credential) => hand(form, credential),
    // The request was automatic, so its failure is not shown.
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
      (error) => showError(form, error),
    );
  });
  // After a refusal, a passkey is not requested automatically again.
  if (form.dataset.passkey === 'get' && find('#passkey-error') === null) void autofill(form);
}
if (able) for (const field of document.querySelectorAll('[data-passkeys]')) field.value = 'yes';

// A second click would request a second code, or report that the first was already used.
const RESUBMIT_MS = 8000;
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
    setTimeout(open, RESUBMIT_MS);
  });
  // The page may come back from the browser's back/forward cache.
  addEventListener('pageshow', open);
}
times();
