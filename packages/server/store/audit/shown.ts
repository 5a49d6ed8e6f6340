import type { Json } from '@mailroom/behavior/values/json';
import { hashedText } from '../../core/entities/audit.ts';

/** Stands for a secret, and for the query of a URL, which often is one. */
const HIDDEN = '(hidden)';
/** Characters of a text that an entry shows; more is no setting but a document. */
const MAX_TEXT = 300;
/** Values of a list that an entry shows. */
const MAX_ITEMS = 50;
const SECRET_NAME = /secret|token|passw|authorization|api_?key|credential|cookie|private/i;
const SECRET_TEXT = /^(?:sealed:|whsec_|mr_(?:live|client)_|Bearer )/;

/** As `shown`, with a hash in place of each text: what is said of a mailbox or a person is gone with it, from the log too. */
export function unsaid(value: Json, name = ''): Json {
  if (typeof value === 'string') {
    const text = shown(value, name);
    return text === HIDDEN ? HIDDEN : hashedText(value);
  }
  if (Array.isArray(value)) return shown(value.map((item) => unsaid(item)));
  if (typeof value !== 'object' || value === null) return shown(value, name);
  return shown(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unsaid(item as Json, key)])));
}

/** A value of a target as an entry of the audit log shows it: without secrets, and not longer than one reads. */
export function shown(value: Json, name = ''): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (SECRET_NAME.test(name)) return HIDDEN;
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => shown(item));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length} items`] : items;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item as Json, key)]));
}

function shownText(text: string): string {
  if (SECRET_TEXT.test(text)) return HIDDEN;
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url !== null) return shownUrl(url);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
}

/** Without user, password, query and fragment. */
const shownUrl = ({ origin, pathname, search }: URL): string =>
  `${origin}${pathname.slice(0, MAX_TEXT)}${search === '' ? '' : `?${HIDDEN}`}`;
