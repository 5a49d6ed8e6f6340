import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { Claims, Owned } from '../../../core/sign-in/claims.ts';
import { type Html, html } from '../../../http/html.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { pageAnswer } from '../layout.ts';
import { note } from '../pieces.ts';
import { accountOf, openConsole, type RecentAccount, toSignIn } from './account.ts';
import { type ConsoleAccess, PRIVATE, seeOther } from './sign-in-form.ts';

interface EnterParts extends ConsoleAccess, RecentAccount {
  readonly claims: Claims;
}

/** Opens the console by address or passkey, for a member of a name. */
export function enterRoutes(parts: EnterParts): readonly Route[] {
  const { claims } = parts;

  async function enter(call: Pick<Call, 'headers' | 'secure'>, { key }: Owned): Promise<Answer> {
    return seeOther('../console', { 'set-cookie': await openConsole(call, key, parts) });
  }

  return [
    pageRoute('GET', '/console/enter', {
      async handle(call) {
        const account = await accountOf(call, parts);
        if (account === undefined) return seeOther('../console');
        const owned = await claims.openedBy(account.account_id);
        const [only, ...others] = owned;
        // Other sites may link here, but only the service's own sign-in opens the console without another step.
        const own = call.headers['sec-fetch-site'] === 'same-origin';
        return own && only !== undefined && others.length === 0 ? enter(call, only) : choice(account, owned);
      },
    }),
    pageRoute('POST', '/console/enter', {
      form: true,
      async handle(call) {
        const account = call.form.get('do') === 'other' ? undefined : await accountOf(call, parts);
        if (account === undefined) return toSignIn(call, 'console/enter');
        const owned = await claims.openedBy(account.account_id);
        const name = call.form.get('name');
        const chosen =
          name === null && owned.length === 1 ? owned[0] : owned.find((one) => one.namespace.name === name);
        return chosen === undefined ? choice(account, owned) : enter(call, chosen);
      },
    }),
  ];
}

const choice = (account: AccountSession, owned: readonly Owned[]): Answer =>
  pageAnswer(
    200,
    {
      title: 'Open your console · Mailroom',
      root: '../',
      private: true,
      styles: ['console-pages.css'],
      main: html`<div class="narrow-page stack">
<h1>Open your console</h1>
<p class="meta">You are signed in as <b>${account.address}</b>.</p>
${owned.length === 0 ? nothing : names(owned)}
<form method="post" action="enter"><button class="button quiet" name="do" value="other">Use another address</button></form>
<p class="meta">Or <a href="../console">paste an owner key</a>.</p>
</div>`,
    },
    PRIVATE,
  );

const nothing = note(
  'plain',
  'key',
  'This account is no member of a name.',
  'An owner of a name can invite you in its console, under Members.',
);

const names = (owned: readonly Owned[]): Html =>
  html`<form class="stack" method="post" action="enter">${owned.map(({ namespace: { name } }) => html`<button class="button large" name="name" value="${name}">${name}</button>`)}</form>`;
