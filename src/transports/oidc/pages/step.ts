import { parseCookie } from 'cookie';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { SignInTold } from '../../../core/sign-in/sign-in.ts';
import { agentOf } from '../../../http/agent.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Answer } from '../../../http/route.ts';
import {
  type PageCall,
  type People,
  peoplePage,
  queryOf,
  rootOf,
  seeOther,
  tokenField,
  type Visitor,
} from './people.ts';
import type { Leaving, Purpose } from './purpose.ts';
import { originMark } from './words.ts';

/** Which of the pages of a sign-in: who one is, the code, the mail's link, a passkey for the next time. */
export type Below = '' | '/code' | '/link' | '/passkey';

/** Is there in browsers that would rather not be asked for a passkey. */
export const DECLINED = 'mr_no_passkey';

/** A request at one page of a sign-in, by whom and what for. */
export class SignInStep {
  readonly call: PageCall;
  readonly visitor: Visitor;
  readonly purpose: Purpose;
  readonly people: People;
  readonly #path: string;
  readonly #below: Below;

  /** `path` is where the pages begin, from the root. */
  constructor(
    of: { readonly call: PageCall; readonly visitor: Visitor; readonly purpose: Purpose },
    at: { readonly path: string; readonly below: Below },
    people: People,
  ) {
    this.call = of.call;
    this.visitor = of.visitor;
    this.purpose = of.purpose;
    this.people = people;
    this.#path = at.path;
    this.#below = at.below;
  }

  field(name: string): string {
    return this.call.form.get(name) ?? '';
  }

  query(name: string): string {
    return queryOf(this.call, name);
  }

  /** From where the browser is to where the pages begin. */
  get base(): string {
    return `${this.#root}${this.#path}`;
  }

  /** Where the pages begin, as the outside reaches it. */
  get url(): string {
    return `${this.people.parts.baseUrl()}/${this.#path}`;
  }

  get token(): Html {
    return tokenField(this.visitor, this.#path);
  }

  get #root(): string {
    return rootOf(`${this.#path}${this.#below}`);
  }

  page(status: number, title: string, main: Html, headers: Readonly<Record<string, string>> = {}): Answer {
    const of = { title, root: this.#root, main, headers, cookies: this.visitor.cookies };
    return peoplePage(status, of, this.people.parts);
  }

  /** To another page of the same sign-in. */
  goOn(below: string, cookies: readonly string[] = []): Answer {
    return seeOther(`${this.base}${below}`, [...this.visitor.cookies, ...cookies]);
  }

  /** To the log: how it goes, never who it is about. */
  report(event: Omit<SignInTold, 'request_id'>): void {
    this.people.parts.people.onSignIn({ request_id: this.call.request_id, ...event });
  }

  /** Whoever is signed in here and did so for this, or needs not to have: they are not asked again. */
  get goes_on_as(): AccountSession | undefined {
    const { session } = this.visitor;
    return session !== undefined && this.purpose.goes_on(session) ? session : undefined;
  }

  /** In: a session of its own begins, and the one before in this browser ends. */
  async welcome(who: { readonly account_id: string; readonly amr: readonly string[] }): Promise<Answer> {
    const { call, visitor, people } = this;
    const { sessions, cookie } = people.parts.people;
    if (visitor.session !== undefined) await sessions.end(visitor.session.account_id, visitor.session.hash);
    this.report({ by: who.amr[0] === 'otp' ? 'code' : 'passkey', outcome: 'signed_in', account_id: who.account_id });
    const agent = agentOf(String(call.headers['user-agent'] ?? ''));
    const cookies = [cookie.write(await sessions.begin(who.account_id, who.amr, agent), call.secure)];
    if (await this.#offersPasskey(who.account_id)) return this.goOn('/passkey', cookies);
    return this.leave(await this.purpose.finish({ ...who, at: people.parts.clock() }), cookies);
  }

  /**
   * Out, back to the service. Not by a redirect: browsers hold each redirect after a form against the policy of the page
   * that sent it (CSP Level 3, section 6.4.2), and a service may redirect to wherever it likes.
   */
  leave({ location, set_cookie }: Leaving, more: readonly string[] = []): Answer {
    const cookies = [...this.visitor.cookies, ...more, ...set_cookie];
    const { service } = this.purpose;
    if (service === undefined) return seeOther(`${this.#root}${location}`, cookies);
    const main = html`<h1><span class="to">Back to</span> <span class="origin">${originMark(service.origin)}</span></h1>
<p class="gets">It opens by itself. If it does not, <a href="${location}">go on here</a>.</p>`;
    const headers = { refresh: `0;url=${location}` };
    return peoplePage(200, { title: 'Going on', root: this.#root, main, headers, cookies }, this.people.parts);
  }

  /** After a code, where scripts said that this browser can make one. */
  async #offersPasskey(account_id: string): Promise<boolean> {
    const { passkeys, parts } = this.people;
    if (!passkeys.possible || this.field('passkeys') !== 'yes') return false;
    if (parseCookie(String(this.call.headers.cookie ?? ''))[DECLINED] !== undefined) return false;
    return (await parts.store.accounts.passkeys(account_id)).length === 0;
  }
}
