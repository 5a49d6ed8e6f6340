import { randomUUID } from 'node:crypto';
import { type FieldError, invalid } from '@mailroom/behavior/values/error';
import type { Client } from '../../../core/entities/client.ts';
import { AUTH_METHODS, type AuthMethod, metadataOf } from '../../../core/sign-in/client-metadata.ts';
import { type Html, html } from '../../../http/html.ts';
import { radios, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { FormErrors, textsOf } from './fields.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

/** What was typed for an app; kept complete when something is wrong. */
export interface TypedClient {
  /** Empty for a new one. */
  readonly id: string;
  readonly name: string;
  /** One per line, as are those after signing out. */
  readonly redirects: string;
  readonly after: string;
  readonly method: AuthMethod;
  readonly native: boolean;
  readonly home: string;
  /** A URL, or a JSON Web Key Set. */
  readonly keys: string;
}

export const blankClient: TypedClient = readClient(new URLSearchParams());

export function readClient(form: URLSearchParams): TypedClient {
  return {
    ...textsOf(form, ['id', 'name', 'redirects', 'after', 'home', 'keys']),
    method: AUTH_METHODS.find((one) => one === form.get('method')) ?? 'client_secret_basic',
    native: form.has('native'),
  };
}

/** The form's values for an existing app. */
export function typedFrom(client: Client): TypedClient {
  const metadata = metadataOf(client);
  return {
    id: client.id,
    name: client.name,
    redirects: metadata.redirect_uris.join('\n'),
    after: (metadata.post_logout_redirect_uris ?? []).join('\n'),
    method: metadata.token_endpoint_auth_method,
    native: metadata.application_type === 'native',
    home: metadata.client_uri ?? '',
    keys: metadata.jwks_uri ?? (metadata.jwks === undefined ? '' : JSON.stringify(metadata.jwks)),
  };
}

/** The requested app; null for empty fields. AppError `validation_error` for keys that are not JSON. */
export function wantedOf(typed: TypedClient) {
  const { name, method, native, home, keys } = typed;
  const signs = method === 'private_key_jwt' && keys !== '';
  const byPlace = signs && !keys.startsWith('{');
  return {
    name,
    redirect_uris: linesOf(typed.redirects),
    post_logout_redirect_uris: linesOf(typed.after),
    token_endpoint_auth_method: method,
    application_type: native ? ('native' as const) : ('web' as const),
    client_uri: home === '' ? null : home,
    jwks_uri: byPlace ? keys : null,
    jwks: signs && !byPlace ? keysFrom(keys) : null,
  };
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];

function keysFrom(text: string): { keys: Record<string, unknown>[] } {
  try {
    return JSON.parse(text) as { keys: Record<string, unknown>[] };
  } catch {
    throw invalid('/jwks', 'This is neither an https URL nor JSON. Paste the whole key set: {"keys": […]}.');
  }
}

/** One sentence per field: for a list, that of its first wrong item, which it names. */
function placed(errors: readonly FieldError[], typed: TypedClient): readonly FieldError[] {
  const lists = { redirect_uris: linesOf(typed.redirects), post_logout_redirect_uris: linesOf(typed.after) };
  return errors.map(({ pointer, message }) => {
    const [, field = '', at] = pointer.split('/');
    if (field === 'redirect_uris' || field === 'post_logout_redirect_uris') {
      const uri = at === undefined ? undefined : lists[field][Number(at)];
      if (uri !== undefined) return { pointer: `/${field}`, message: `${uri.slice(0, 80)}: ${message}` };
      return { pointer: `/${field}`, message: lists[field].length === 0 ? 'Enter at least one.' : message };
    }
    return { pointer: field === 'jwks_uri' || field === 'jwks' ? '/jwks' : pointer, message };
  });
}

const METHODS = [
  { value: 'client_secret_basic', label: 'A secret', hint: 'For apps on a server; most libraries use this.' },
  {
    value: 'client_secret_post',
    label: 'A secret, sent in the body',
    hint: 'For libraries that cannot send it as a header.',
  },
  {
    value: 'none',
    label: 'Nothing',
    hint: 'For apps on people’s devices and in browsers, which cannot keep a secret.',
  },
  {
    value: 'private_key_jwt',
    label: 'A key of its own',
    hint: 'The app signs with its private key; we store only the public one.',
  },
];

/** The form of one app. */
export function clientForm(typed: TypedClient, given: readonly FieldError[], signed: Signed, back: string): Html {
  const errors = new FormErrors(placed(given, typed));
  const box = (id: string, value: string, attributes: Html): Html =>
    html`<textarea class="input mono" ${attributes} rows="${id === 'redirects' ? 3 : 2}" dir="ltr" spellcheck="false" autocapitalize="none" maxlength="21000">${`\n${value}`}</textarea>`;
  const name = errors.textLine(
    'name',
    'Name',
    'Shown to people when they sign in.',
    typed.name,
    html` maxlength="100" autocomplete="off"`,
  );
  const redirects = errors.line(
    'redirects',
    'Redirect URIs',
    'Where people return after signing in, one per line, compared exactly. Your library tells you which; it often ends in /callback.',
    (attributes) => box('redirects', typed.redirects, attributes),
    '/redirect_uris',
  );
  const after = errors.line(
    'after',
    'After signing out',
    'Where people may return after signing out, one per line. Optional.',
    (attributes) => box('after', typed.after, attributes),
    '/post_logout_redirect_uris',
  );
  const keys = errors.line(
    'keys',
    'Its public keys',
    'Only for a key of its own: the https URL of its key set, or the key set as JSON.',
    (attributes) => box('keys', typed.keys, attributes),
    '/jwks',
  );
  const home = errors.textLine(
    'home',
    'Home page',
    'Optional.',
    typed.home,
    html` inputmode="url" maxlength="1000" autocapitalize="none" autocomplete="off" spellcheck="false"`,
    '/client_uri',
  );
  const otherError = errors.at('', 'top');
  return html`${summary(errors.links)}
<form class="fields" method="post" action="">${tokenField(signed)}<input type="hidden" name="id" value="${typed.id}">${typed.id === '' && html`<input type="hidden" name="once" value="${randomUUID()}">`}
${otherError !== undefined && html`<p class="error" id="top" tabindex="-1">${otherError}</p>`}
${name}
${redirects}
${radios('method', 'How the app authenticates', METHODS, typed.method)}
${keys}
<div class="field">${tick('checkbox', 'native', { value: 'yes', label: 'It is an app on people’s own devices', hint: 'It may then use a custom scheme, such as com.example.app:/callback, and any port of localhost.' }, typed.native)}</div>
${after}
${home}
<div class="row"><button class="button ink" name="do" value="save">${typed.id === '' ? 'Add the app' : 'Save changes'}</button><a class="button quiet" href="${back}">Back</a></div>
</form>`;
}
