import { isObject } from '@mailroom/behavior/values/json';
import { type Html, html } from '../../../http/html.ts';

/** An agent's request to sign in, as its issuer read it from the authorization URL. */
export interface SignInPlan {
  readonly mailbox: string;
  readonly service: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly issuer: string;
}

const TEXTS = ['mailbox', 'service', 'redirect_uri', 'issuer'] as const;

/** Reads a plan as a sign-in; undefined for any other plan. */
export function signInPlanOf(plan: unknown): SignInPlan | undefined {
  if (!isObject(plan) || plan.op !== 'sign_in' || !isObject(plan.client) || !Array.isArray(plan.scopes))
    return undefined;
  const { id, name } = plan.client;
  const texts = [...TEXTS.map((field) => plan[field]), id, name, ...(plan.scopes as unknown[])];
  return texts.every((text) => typeof text === 'string') ? (plan as unknown as SignInPlan) : undefined;
}

const SCOPES: Readonly<Record<string, string>> = {
  openid: 'the identity of this agent',
  email: 'its address',
  profile: 'its name',
  offline_access: 'ongoing access',
};

/** Shows the origin first and large, since the client chooses its own name. */
export const signInPlanView = ({
  mailbox,
  service,
  client,
  redirect_uri,
  scopes,
  issuer,
}: SignInPlan): Html => html`<div class="sign-in-plan">
<p>${mailbox} asks to sign in to</p>
<p class="origin" dir="ltr"><strong>${service}</strong></p>
<dl>
<div><dt>It calls itself</dt><dd><bdi>${client.name}</bdi></dd></div>
<div><dt>Client</dt><dd dir="ltr"><code>${client.id}</code></dd></div>
<div><dt>Returns to</dt><dd dir="ltr"><code>${redirect_uri}</code></dd></div>
<div><dt>It receives</dt><dd>${scopes.map((scope) => (Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : scope)).join(', ')}</dd></div>
<div><dt>Signed in by</dt><dd dir="ltr"><code>${issuer}</code></dd></div>
</dl>
<p class="meta">Approve it only if you want this agent to use that service. Anyone can choose the name; the address above shows where the sign-in really goes.</p>
</div>`;
