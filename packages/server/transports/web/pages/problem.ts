import { type AppError, problems } from '@mailroom/behavior/values/error';
import { type Html, html } from '../../../http/html.ts';
import type { Page } from '../layout.ts';

/** A problem for people: what happened, then what to do. `path`: the path of the request. */
export function problemPage(error: AppError, path: string, request_id: string): Page {
  const { status } = problems[error.code];
  const place = placeIn(path);
  const { title, text, links } = words(error, status, place, request_id);
  return {
    title: `${title} · Mailroom`,
    root: rootOf(path),
    private: true,
    main: html`<div class="plain-page"${status === 429 && html` data-reopens`}><h1>${title}</h1><p class="lead">${text}</p><div class="row">${links(rootOf(path))}</div></div>`,
  };
}

interface Words {
  readonly title: string;
  readonly text: string | Html;
  readonly links: (root: string) => Html;
}

function words(error: AppError, status: number, place: string, request_id: string): Words {
  const home = (root: string): Html => html`<a class="button" href="${root || './'}#addresses">All addresses</a>`;
  const at = place.split('@')[1]?.split('.')[0];
  const near = (root: string): Html =>
    html`${at !== undefined && at !== '' && html`<a class="button" href="${root}${encodeURIComponent(at)}">Addresses at ${at}</a>`}${home(root)}`;
  switch (status) {
    case 404:
      if (error.code === 'mailbox_not_found' && place.includes('@')) {
        return {
          title: `No mailbox at ${place}`,
          text: 'Check the spelling, or choose another address.',
          links: near,
        };
      }
      return {
        title: error.code === 'namespace_not_found' ? `No addresses at ${place}` : 'Page not found',
        text: 'Check the spelling of the link, or look through the shared addresses.',
        links: home,
      };
    case 410:
      return { title: `${place} was deleted`, text: 'Its owner deleted it.', links: near };
    case 429: {
      const seconds = Math.max(1, Math.ceil((error.retry_after_ms ?? 60_000) / 1000));
      return {
        title: 'Too many requests',
        text: html`You can open this page again in <span data-left>${seconds}</span> s.`,
        links: home,
      };
    }
    case 403:
      return { title: 'Not allowed', text: error.message, links: home };
    case 500:
      return {
        title: 'Something went wrong',
        text: html`This is an error of the service, not yours. Try again; if it happens again, send us this reference: <code>${request_id}</code>.`,
        links: home,
      };
    case 503:
      // Without a cause this is no error of the service: an owner paused the mailbox.
      if (error.cause === undefined) return { title: 'Paused', text: error.message, links: home };
      return {
        title: 'Temporarily unavailable',
        text: 'The service cannot read or store messages right now. Try again in a few seconds; stored messages are safe.',
        links: home,
      };
    default:
      return { title: problems[error.code].title, text: error.message, links: home };
  }
}

/** The address or name in the path, shortened. */
function placeIn(path: string): string {
  const [name = ''] = path.slice(1).split(/[/?]/, 1);
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // A malformed path is shown as it is.
  }
  const [local = '', domain] = text.slice(0, 150).split('@');
  return domain === undefined ? local : `${local}@${domain.split('.')[0]}`;
}

const rootOf = (path: string): string =>
  '../'.repeat(Math.max(0, (path.split('?', 1)[0] as string).split('/').length - 2));
