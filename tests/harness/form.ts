/** A control of a form, as written in a page. */
interface Control {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text between its tags. */
  readonly inner: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
export const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] as string);

const attributesOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name as string, decode(value ?? '')]),
  );

/** The controls of a page's forms, or of the form with this `id`, parsed as a browser parses our markup. */
export function controlsOf(page: string, id?: string): Control[] {
  const form = id === undefined ? page : new RegExp(`<form[^>]* id="${id}".*?</form>`, 's').exec(page)?.[0];
  const found = (form ?? '').matchAll(/<(textarea|select|button)\b([^>]*)>(.*?)<\/\1>|<(input)\b([^>]*)>/gs);
  return [...found].map(([, tag, attributes, inner, single, its]) => ({
    tag: (tag ?? single) as string,
    attributes: attributesOf((attributes ?? its) as string),
    inner: inner ?? '',
  }));
}

/**
 * What a browser sends for these controls when no button, or the button named `button`, is pressed (WHATWG HTML,
 * section 4.10.22.4).
 */
export function formData(page: string, options: { readonly id?: string; readonly button?: [string, string] } = {}) {
  const data = new URLSearchParams();
  for (const { tag, attributes, inner } of controlsOf(page, options.id)) {
    const name = attributes.get('name');
    if (name === undefined || tag === 'button' || attributes.has('disabled')) continue;
    const type = attributes.get('type');
    if ((type === 'checkbox' || type === 'radio') && !attributes.has('checked')) continue;
    data.append(name, sentBy(tag, attributes, inner));
  }
  if (options.button !== undefined) data.append(...options.button);
  return data;
}

function sentBy(tag: string, attributes: ReadonlyMap<string, string>, inner: string): string {
  // The parser drops the first line break of a textarea (WHATWG HTML, section 13.2.6.4.7).
  if (tag === 'textarea') return decode(inner.replace(/^\n/, ''));
  if (tag !== 'select') return attributes.get('value') ?? '';
  const options = [...inner.matchAll(/<option\b([^>]*)>/g)].map(([, text]) => attributesOf(text as string));
  return (options.find((option) => option.has('selected')) ?? options[0])?.get('value') ?? '';
}
