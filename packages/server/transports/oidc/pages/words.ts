import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';

/** The service of a sign-in, as the page shows it. */
export interface ServiceView {
  /** The origin of the return URL, which no other service can claim: `https://app.example`. */
  readonly origin: string;
  /** The name the service declares. */
  readonly name: string | null;
  /** The URL of the document by which the service identifies itself. */
  readonly metadata_url: string | undefined;
  /** What it receives, in words: “your address”. */
  readonly gets: readonly string[];
}

/** What all pages of a sign-in show or send. */
export interface StepView {
  /** Undefined for the account page. */
  readonly service: ServiceView | undefined;
  /** The relative path to these pages. */
  readonly base: string;
  readonly token: Html;
}

/** An origin in large type with its host emphasized and sensible line breaks. */
export function originMark(origin: string): Html {
  const schemeEnd = origin.indexOf('://');
  if (schemeEnd < 0) return html`<span class="scheme">the app</span> <b>${origin}</b>`;
  const labels = origin.slice(schemeEnd + 3).split('.');
  return html`<span class="scheme">${origin.slice(0, schemeEnd + 3)}</span><wbr><b>${labels.map(
    (label, index) => html`${index > 0 && html`.<wbr>`}${label}`,
  )}</b>`;
}

/** An address that may wrap after the `@`. */
export const addressMark = (address: string): Html => {
  const at = address.lastIndexOf('@') + 1;
  return html`<b class="who-address" dir="ltr">${address.slice(0, at)}<wbr>${address.slice(at)}</b>`;
};

export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** “1 try left”, “3 tries left”. */
export const triesLeft = (left: number): string => `${left} ${left === 1 ? 'try' : 'tries'} left`;

/** The service and what it receives. */
export function serviceIntro(service: ServiceView): Html {
  const { name, metadata_url, gets } = service;
  const documentOrigin = metadata_url === undefined ? undefined : new URL(metadata_url).origin;
  return html`<p class="gets">${
    name !== null && html`It calls itself <b dir="auto">${name}</b>. `
  }It gets ${listed(gets)}.</p>${
    documentOrigin !== undefined &&
    documentOrigin !== service.origin &&
    html`<p class="gets">It is described by <b>${documentOrigin}</b>.</p>`
  }`;
}

/** An error message below its field. */
export const errorLine = (id: string, message: string, { icon }: Pick<Frame, 'icon'>): Html =>
  html`<p class="error" id="${id}" role="alert">${icon('warn')}<span>${message}</span></p>`;

/** The heading of the sign-in to a service, or to an account. */
export const signInHeading = (service: ServiceView | undefined, frame: Pick<Frame, 'issuerStamp'>): Html =>
  html`${frame.issuerStamp()}
<h1>${
    service === undefined
      ? html`Sign in`
      : html`<span class="to">Sign in to</span> <span class="origin">${originMark(service.origin)}</span>`
  }</h1>`;
