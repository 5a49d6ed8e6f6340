import { parseCookie } from 'cookie';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { SignInEvent } from '../../../core/sign-in/sign-in.ts';
import { agentOf } from '../../../http/agent.ts';
import { type Html, html } from '../../../http/html.ts';
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
import { originMark, type StepView } from './words.ts';

/** The page of a sign-in: the address, the code, the mail's link, or a passkey for the next time. */
export type Below = '' | '/code' | '/link' | '/passkey';

/** The cookie of browsers that declined to be offered a passkey. */
export const DECLINED = 'mr_no_passkey';

/** Outcomes of sign-ins that may be part of an attack. */
const TRIED: ReadonlySet<SignInEvent['outcome']> = new Set(['wrong', 'burnt', 'elsewhere', 'refused']);

/** A request at one page of a sign-in, with its visitor and purpose. */
export class SignInStep {
  readonly call: PageCall;
  readonly visitor: Visitor;
  readonly purpose: Purpose;
  readonly people: People;
  readonly #path: string;
  readonly #below: Below;

  /** `path` is where the pages begin, from the root. */
  constructor(
    visit: { readonly call: PageCall; readonly visitor: Visitor; readonly purpose: Purpose },
    place: { readonly path: string; readonly below: Below },
    people: People,
  ) {
    this.call = visit.call;
    this.visitor = visit.visitor;
    this.purpose = visit.purpose;
    this.people = people;
    this.#path = place.path;
    this.#below = place.below;
  }

  field(name: string): string {
    return this.call.form.get(name) ?? '';
  }

  query(name: string): string {
    return queryOf(this.call, name);
  }

  /** The relative path to where the pages begin. */
  get base(): string {
    return `${this.#root}${this.#path}`;
  }

  /** The public URL of where the pages begin. */
  get url(): string {
    return `${this.people.baseUrl()}/${this.#path}`;
  }

  get token(): Html {
    return tokenField(this.visitor, this.#path);
  }

  get view(): StepView {
    return { service: this.purpose.service, base: this.base, token: this.token };
  }

  get #root(): string {
    return rootOf(`${this.#path}${this.#below}`);
  }

  page(status: number, title: string, main: Html, headers: Readonly<Record<string, string>> = {}): Answer {
    const of = { title, root: this.#root, main, headers, cookies: this.visitor.cookies };
    return peoplePage(status, of, this.people);
  }

  /** Redirects to another page of the same sign-in. */
  goTo(below: string, cookies: readonly string[] = []): Answer {
    return seeOther(`${this.base}${below}`, [...this.visitor.cookies, ...cookies]);
  }

  /** Logs the outcome, never the address. */
  report(event: Omit<SignInEvent, 'request_id'>): void {
    const level = TRIED.has(event.outcome) ? 'warn' : 'info';
    this.people.log[level]({ request_id: this.call.request_id, ...event }, 'a sign-in');
  }

  /** The signed-in account, if its session is enough for this sign-in. */
  get signed_in_as(): AccountSession | undefined {
    const { session } = this.visitor;
    return session !== undefined && this.purpose.accepts(session) ? session : undefined;
  }

  /** Starts a session for the account and ends the browser's previous one. */
  async welcome(who: { readonly account_id: string; readonly amr: readonly string[] }): Promise<Answer> {
    const { call, visitor, people } = this;
    const { sessions, cookie } = people;
    if (visitor.session !== undefined) await sessions.end(visitor.session.account_id, visitor.session.hash);
    this.report({ by: who.amr[0] === 'otp' ? 'code' : 'passkey', outcome: 'signed_in', account_id: who.account_id });
    const agent = agentOf(String(call.headers['user-agent'] ?? ''));
    const cookies = [cookie.write(await sessions.begin(who.account_id, who.amr, agent), call.secure)];
    if (await this.#offersPasskey(who.account_id)) return this.goTo('/passkey', cookies);
    return this.leave(await this.purpose.finish({ ...who, at: people.clock() }), cookies);
  }

  /**
   * Returns to the service by a page instead of a redirect: browsers apply the form's policy to each redirect (CSP
   * Level 3, section 6.4.2), and a service may redirect to any URL.
   */
  leave({ location, set_cookie }: Leaving, more: readonly string[] = []): Answer {
    const cookies = [...this.visitor.cookies, ...more, ...set_cookie];
    const { service } = this.purpose;
    if (service === undefined) return seeOther(`${this.#root}${location}`, cookies);
    const main = html`<h1><span class="to">Back to</span> <span class="origin">${originMark(service.origin)}</span></h1>
<p class="gets">It opens automatically. If it does not, <a href="${location}">continue here</a>.</p>`;
    const headers = { refresh: `0;url=${location}` };
    return peoplePage(200, { title: 'Going on', root: this.#root, main, headers, cookies }, this.people);
  }

  /** After a sign-in by code, where a script reported that this browser supports passkeys. */
  async #offersPasskey(account_id: string): Promise<boolean> {
    const { passkeys, store } = this.people;
    if (!passkeys.possible || this.field('passkeys') !== 'yes') return false;
    if (parseCookie(String(this.call.headers.cookie ?? ''))[DECLINED] !== undefined) return false;
    return (await store.accounts.passkeys(account_id)).length === 0;
  }
}
