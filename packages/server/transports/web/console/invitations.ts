import { AppError } from '@mailroom/behavior/values/error';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Key } from '../../../core/entities/key.ts';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { Members, OpenInvitation } from '../../../core/sign-in/members.ts';
import { type Html, html } from '../../../http/html.ts';
import { pageRoute } from '../../../http/page-route.ts';
import { returnCookie } from '../../../http/return-cookie.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { pageAnswer } from '../layout.ts';
import { note } from '../pieces.ts';
import { accountOf, openConsole, type RecentAccount } from './account.ts';
import { ROLE_WORDS } from './role-words.ts';
import { type ConsoleAccess, PRIVATE, seeOther } from './sign-in-form.ts';

interface InvitationParts extends ConsoleAccess, RecentAccount {
  readonly members: Pick<Members, 'invitation' | 'accept'>;
}

/** Holds the token while its reader signs in. */
const NAME = 'mr_invitation';
const KEPT_S = 15 * 60;
const tokenCookie = (token: string, secure: boolean, maxAge = KEPT_S): string =>
  stringifySetCookie({ name: NAME, value: token, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });

/** The page on which an invitation is accepted, by who is signed in with the address that it came to. */
export function invitationRoutes(parts: InvitationParts): readonly Route[] {
  const { members } = parts;

  async function show(call: Call & { params: { token: string } }, refused?: AppError): Promise<Answer> {
    const found = await members.invitation(call.params.token);
    const account = await accountOf(call, parts);
    if (found === undefined) return page(404, gone);
    return page(refused === undefined ? 200 : 403, invitationMain(found, account, refused));
  }

  /** Joins who chose to, and has signed in as whom the invitation is for; undefined where it takes another step. */
  async function joinedBy(token: string, call: Call): Promise<Key | undefined> {
    // Other sites may link here, but only the service's own sign-in joins.
    const account = call.headers['sec-fetch-site'] === 'same-origin' ? await accountOf(call, parts) : undefined;
    if (account === undefined) return undefined;
    try {
      return (await members.accept(token, account)).key;
    } catch (error) {
      // The page of the invitation says why.
      if (error instanceof AppError && error.code !== 'unavailable') return undefined;
      throw error;
    }
  }

  return [
    // Signing in leads back here; the token is in this browser alone.
    pageRoute('GET', '/console/invitations', {
      async handle(call) {
        const { cookie } = call.headers;
        const token = cookie === undefined ? undefined : parseCookie(String(cookie))[NAME];
        if (token === undefined || !/^[0-9A-Za-z]{1,64}$/.test(token)) return seeOther('../console');
        const used = tokenCookie('', call.secure, 0);
        const key = await joinedBy(token, call);
        if (key === undefined) return seeOther(`invitations/${token}`, { 'set-cookie': used });
        return seeOther('../console', { 'set-cookie': [used, await openConsole(call, key, parts)] });
      },
    }),
    pageRoute('GET', '/console/invitations/{token}', {
      handle: (call) => show(call as never),
    }),
    pageRoute('POST', '/console/invitations/{token}', {
      form: true,
      async handle(call) {
        const { token = '' } = call.params as { token?: string };
        const account = await accountOf(call, parts);
        if (account === undefined || call.form.get('do') === 'sign-in')
          return seeOther('../../account/sign-in?other=1', {
            'set-cookie': [returnCookie('console/invitations', call.secure), tokenCookie(token, call.secure)],
          });
        try {
          const { key } = await members.accept(token, account);
          return seeOther('../../console', { 'set-cookie': await openConsole(call, key, parts) });
        } catch (error) {
          if (error instanceof AppError && error.code !== 'unavailable') return show(call as never, error);
          throw error;
        }
      },
    }),
  ];
}

function invitationMain(
  { invitation, namespace, mailboxes }: OpenInvitation,
  account: AccountSession | undefined,
  refused: AppError | undefined,
): Html {
  const [role, hint] = ROLE_WORDS[invitation.role];
  const fits = account?.address.toLowerCase() === invitation.address;
  const where = mailboxes === null ? 'all its addresses' : mailboxes.join(', ');
  const button = (what: string, word: string, look: string): Html =>
    html`<button class="button ${look}" name="do" value="${what}">${word}</button>`;
  return html`<div class="narrow-page stack"><h1>Join ${namespace.display_name ?? namespace.name}</h1>
${refused !== undefined && note('bad', 'warn', 'You did not join.', refused.message)}
<p>An owner of <b>${namespace.name}</b> invites you as <b>${role.toLowerCase()}</b> of ${where}. ${hint}</p>
${
  account === undefined
    ? html`<p>Sign in with the address that this invitation came to: you get a code by mail, or use your passkey. Then you are in.</p>`
    : html`<p>You are signed in as <b>${account.address}</b>${!fits && html`, which is not the address that this invitation came to`}.</p>`
}
<form class="row" method="post">${fits ? button('accept', 'Join', 'ink large') : button('sign-in', account === undefined ? 'Sign in and join' : 'Use another address', 'ink')}</form></div>`;
}

const gone = html`<div class="narrow-page stack"><h1>No such invitation</h1>
${note('plain', 'key', 'This invitation was used or taken back, or its time is over.', 'Ask an owner of the name for another one.')}
<p><a href="../../console">Open your console</a></p></div>`;

const page = (status: number, main: Html): Answer =>
  pageAnswer(
    status,
    { title: 'Invitation · Mailroom', root: '../../', private: true, styles: ['console-pages.css'], main },
    PRIVATE,
  );
