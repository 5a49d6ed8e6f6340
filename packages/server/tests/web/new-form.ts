import assert from 'node:assert/strict';
import { connect } from '../../../../tests/harness/client.ts';
import { decode, formData } from '../../../../tests/harness/form.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly page: string;
  readonly title: string;
}

export async function seen(response: Response): Promise<Seen> {
  const page = await response.text();
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(page) ?? [];
  return { status: response.status, headers: response.headers, page, title: decode(title) };
}

/** The page's form as a browser would send it with that button pressed and some fields changed. */
export function filled({ page }: Seen, button: [string, string], fields: Record<string, string> = {}): URLSearchParams {
  const form = formData(page, { button });
  for (const [name, value] of Object.entries(fields)) {
    assert.ok(form.has(name) || name === 'behavior', `the page has no field ${name}`);
    form.set(name, value);
  }
  return form;
}

export const MAKE: [string, string] = ['do', 'make'];

export const HELLO = 'settings.hello';

/** As `filled`, to make the address, with the name that an introduction requires. */
export const ready = (seen: Seen, fields: Record<string, string> = {}): URLSearchParams =>
  filled(seen, MAKE, { [`${HELLO}.name`]: 'Ada', ...fields });

export const secretIn = (page: string): string | undefined => /mr_live_[0-9A-Za-z]{46}/.exec(page)?.[0];

/** A service of its own, with what a browser does on the pages that make an address. */
export async function openNewForm() {
  const service = await serveInside();
  const client = connect(service.url);
  const get = async (path: string): Promise<Seen> =>
    seen(await fetch(`${service.url}/${path}`, { headers: { accept: 'text/html' } }));
  const post = async (path: string, form: URLSearchParams, headers: Record<string, string> = {}): Promise<Seen> =>
    seen(
      await fetch(`${service.url}/${path}`, {
        method: 'POST',
        body: form,
        headers: { accept: 'text/html', origin: service.url, 'sec-fetch-site': 'same-origin', ...headers },
      }),
    );
  const begin = (name: string, more = ''): Promise<Seen> => get(`new?local=hello&name=${name}${more}`);
  return { service, client, get, post, begin };
}
