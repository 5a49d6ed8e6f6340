import { isNamespaceName } from '@mailroom/behavior/values/address';
import { invalid } from '@mailroom/behavior/values/error';
import { type Key, looksLikeSecret } from '../../../core/entities/key.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer } from '../../../http/route.ts';
import { mailboxPath } from '../console/shell.ts';
import type { Page } from '../layout.ts';
import { hasPage } from '../looks.ts';
import { addressMark, copyButton, fullOf, hueOf, icon, pathOf, stamp } from '../pieces.ts';
import { qrCard } from '../qr.ts';
import { reachedBy } from '../reached.ts';
import type { TakesMail } from '../words.ts';
import { connectSection } from './connect.ts';
import { carried } from './parts.ts';

export interface Made {
  readonly address: { readonly local_part: string; readonly namespace: string };
  readonly behavior: string;
  /** Whether a program of the owner answers, which is to be connected now. */
  readonly connects: boolean;
  /** Whether the owner answers in the console. */
  readonly by_hand: boolean;
  readonly listed: boolean;
  /** Null when it was shown before. */
  readonly secret: string | null;
  /** Of its webhook, if it has one. */
  readonly webhook_secret: string | undefined;
  readonly key: Key;
  /** The submitted form; sent again, it asks for another key. */
  readonly form: URLSearchParams;
  readonly at: number;
}

/** The last step: the address is made. The only page that shows the key. */
export function donePage(
  mailbox: Made,
  {
    mailDomain,
    takesMail,
    baseUrl,
  }: { readonly mailDomain: string; readonly takesMail: TakesMail; readonly baseUrl: string },
): Page {
  const { address, behavior } = mailbox;
  const path = pathOf(address, mailDomain);
  const url = `${baseUrl}/${path}`;
  return {
    title: `${fullOf(address, mailDomain)} is ready · Mailroom`,
    root: '',
    private: true,
    styles: ['made.css'],
    scripts: ['made.js'],
    main: html`<div class="made ${hueOf(behavior)}" data-made="${path}">
<div class="posted">${stamp(behavior, 64)}${postmark(mailbox.at)}</div>
<h1>${addressMark(address, mailDomain)} is ready.</h1>
<p class="lead">Anyone with the link can write to it now. ${
      mailbox.listed ? 'It is also in the directory.' : 'It is not listed: only people with the link can find it.'
    } ${reachedBy(takesMail, fullOf(address, mailDomain))}</p>
<noscript><p class="link"><a href="./${path}">${url}</a></p></noscript>
<div class="row"><button type="button" class="button ink" hidden data-copy="${url}">${icon('copy')}<span>Copy link</span></button><button type="button" class="button" hidden data-share="${url}">${icon('share')}<span>Share</span></button><a class="button quiet" href="./${path}">Open it${icon('right')}</a></div>
${qrCard(url, 'address')}
${mailbox.secret === null ? used(mailbox) : ownerKey(mailbox, mailbox.secret)}
${mailbox.connects && connectSection({ ...mailbox, address: fullOf(address, mailDomain), baseUrl })}
</div>`,
  };
}

const ownerKey = (
  { address, behavior, form }: Made,
  secret: string,
): Html => html`<section class="card key-card" aria-labelledby="key-title">
<h2 id="key-title">Your owner key</h2>
<p>This key is shown only now. It opens the console of ${address.namespace}, where you can add your own address as another way to sign in. We store only a fingerprint of the key, so we cannot send it to you later.</p>
${form.get('do') === 'renew' && html`<p><b>This is a new key.</b> The one shown before no longer works.</p>`}
<div class="key"><code id="owner-key">${secret}</code>${copyButton('Copy', { id: 'owner-key' })}</div>
<div class="row">
<form method="post" action="new/key"><input type="hidden" name="name" value="${address.namespace}"><input type="hidden" name="key" value="${secret}"><button class="button">${icon('download')}Download</button></form>
${hasPage(behavior, 'clients') && html`<form method="post" action="console"><input type="hidden" name="key" value="${secret}"><input type="hidden" name="next" value="${mailboxPath('clients', address)}"><button class="button">Add your app${icon('right')}</button></form>`}
<form method="post" action="console"><input type="hidden" name="key" value="${secret}"><button class="button quiet">Open the console${icon('right')}</button></form>
</div>
</section>`;

/** Shown after a reload: the key that was saved still works. */
const used = ({
  address: { namespace },
  key,
  form,
}: Made): Html => html`<section class="card key-card" aria-labelledby="key-title">
<h2 id="key-title">Your owner key</h2>
<p>It was shown when the address was made and is not shown again. It still opens the console of ${namespace}.</p>
<div class="row"><a class="button" href="console">Open the console${icon('right')}</a></div>
${
  key.last_used_at === null &&
  html`<form class="row" method="post" action="new">${carried(form, ['do'])}<p>Did you not save it? You can replace it with a new one; the old one stops working.</p><button class="button quiet" name="do" value="renew">Make a new key</button></form>`
}
</section>`;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** A decorative postmark with today's date. */
function postmark(at: number): Html {
  const date = new Date(at);
  return html`<svg class="postmark" viewBox="0 0 120 60" aria-hidden="true"><g>
<circle cx="30" cy="30" r="28"/><circle cx="30" cy="30" r="19"/>
<path d="M60 12c10-6 14 6 24 0s14 6 24 0M60 22c10-6 14 6 24 0s14 6 24 0M60 32c10-6 14 6 24 0s14 6 24 0M60 42c10-6 14 6 24 0s14 6 24 0"/>
<text x="30" y="28">${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}</text><text x="30" y="38">${date.getUTCFullYear()}</text>
</g></svg>`;
}

/**
 * The key as a file, requested by a form since a link would contain the key. AppError `validation_error` for an invalid
 * key or name.
 */
export function keyFile(form: URLSearchParams, mailDomain: string): Answer {
  const name = form.get('name') ?? '';
  const key = form.get('key') ?? '';
  if (!isNamespaceName(name)) throw invalid('/name', 'This is not a valid name.');
  if (!looksLikeSecret(key)) throw invalid('/key', 'This is not a valid key.');
  return {
    status: 200,
    body: `Owner key of ${name}.${mailDomain}\n\n${key}\n\nAnyone who has this key controls this name. It is not stored anywhere else.\n`,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="mailroom-${name}-owner-key.txt"`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  };
}
