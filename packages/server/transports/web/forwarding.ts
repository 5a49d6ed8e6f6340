import { Type } from 'typebox';
import {
  type ForwardConfirmations,
  type ForwardRequest,
  unknownRequest,
} from '../../core/outgoing/forward-confirmations.ts';
import { type Html, html } from '../../http/html.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Answer, Route } from '../../http/route.ts';
import { NO_STORE } from './headers.ts';
import { pageAnswer } from './layout.ts';
import { addressMark, icon } from './pieces.ts';

const TokenParam = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) });

/**
 * The page of the link by which an address outside confirms that rules forward messages to it. Opening it changes nothing,
 * since programs that check mail open links too.
 */
export function forwardingRoutes({
  forwardConfirmations,
  mailDomain,
}: {
  readonly forwardConfirmations: Pick<ForwardConfirmations, 'request' | 'confirm'>;
  readonly mailDomain: string;
}): readonly Route[] {
  const show = (request: ForwardRequest | undefined, main: (request: ForwardRequest) => Html): Answer => {
    if (request === undefined) throw unknownRequest();
    const title = 'Forwarded messages · Mailroom';
    const description = 'Confirm that an address forwards messages to you.';
    const place = { root: '../', styles: ['forms.css', 'service.css'], scripts: [] };
    return pageAnswer(200, { title, description, ...place, main: main(request) }, NO_STORE);
  };
  return [
    pageRoute('GET', '/forwarding/{token}', {
      params: TokenParam,
      handle: async ({ params }) =>
        show(
          await forwardConfirmations.request(params.token),
          ({ address, mailbox }) => html`<form class="about-service" method="post" action="">
<h1>Get forwarded messages?</h1>
<p class="lead">The owner of ${addressMark(mailbox, mailDomain)} wants to forward messages that arrive there to <b dir="ltr">${address}</b>.</p>
<p class="meta">If you did not ask for this, close the page. Nothing is forwarded to you then.</p>
<div class="row"><button class="button ink large"><span>Forward them to me</span>${icon('right')}</button></div>
</form>`,
        ),
    }),
    pageRoute('POST', '/forwarding/{token}', {
      params: TokenParam,
      form: true,
      handle: async ({ params }) =>
        show(
          await forwardConfirmations.confirm(params.token),
          ({ address, mailbox }) => html`<div class="about-service">
<h1>Messages are forwarded</h1>
<p class="lead">From now on, messages that ${addressMark(mailbox, mailDomain)} gets may be forwarded to <b dir="ltr">${address}</b>, as its owner’s rules say.</p>
<p class="meta">If you want no more of them, ask its owner, whom an answer to such a message reaches.</p>
</div>`,
        ),
    }),
  ];
}
