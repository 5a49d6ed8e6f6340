import { lowerCase } from '@mailroom/behavior/values/address';
import type { FieldError } from '@mailroom/behavior/values/error';
import { guestCaller } from '@mailroom/behavior/values/guest';
import type { Preview } from '../../../core/runs/preview.ts';
import { type Html, html } from '../../../http/html.ts';
import { wantsMarkdown } from '../../../http/media.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { isFieldError, sendRefusal, type TryLimits } from '../guest.ts';
import { NO_STORE } from '../headers.ts';
import { pageAnswer } from '../layout.ts';
import { note } from '../pieces.ts';
import { newMarkdown, type TextParts } from '../program-routes.ts';
import { wordsOf } from '../words.ts';
import { checkAddress, isFine } from './address.ts';
import { type AddressStep, addressPage, localState, nameState } from './address-page.ts';
import { behaviorPage } from './behavior-page.ts';
import { donePage, keyFile } from './done-page.ts';
import { type MakeParts, makeAddress } from './make.ts';
import { exchange, firstExample, messageOf, outsideNote, type PreviewState, previewJson } from './preview-card.ts';
import { errorLinks } from './settings.ts';
import { absentBehavior, errorsOf, mailboxOf, type Typed, typedOf, typedOfLink } from './typed.ts';

export interface NewParts extends TextParts, MakeParts, TryLimits {
  /** Runs a behavior before its mailbox is made. */
  readonly guestPreview: Preview;
  readonly limiters: TextParts['limiters'];
}

/** The pages that make an address: which address, how it answers, and its key. Each works without scripts. */
export function newRoutes(parts: NewParts): readonly Route[] {
  const { behaviors, mailDomain, clock, guestPreview, guestPreview: preview } = parts;

  const addressStep = (
    status: number,
    typed: Typed,
    { errors, form, note }: Partial<Pick<AddressStep, 'errors' | 'form' | 'note'>> = {},
  ): Answer => pageAnswer(status, addressPage({ typed, errors, form, note }, { mailDomain, baseUrl: parts.baseUrl() }));

  /** The second step for an address that can be made, else the first step again. */
  function behaviorStep(
    status: number,
    typed: Typed,
    state: {
      preview?: PreviewState;
      errors?: readonly FieldError[];
      note?: Html;
      headers?: Record<string, string>;
    } = {},
  ): Answer {
    typed.behavior.prepare?.();
    const { preview = untried(typed), errors = [], note } = state;
    const step = {
      typed,
      behaviors,
      errors: errors,
      preview,
      max: guestPreview.max_body,
      ...(note === undefined ? {} : { note }),
    };
    return pageAnswer(status, behaviorPage(step, mailDomain), { ...NO_STORE, ...state.headers });
  }

  const wanted = (typed: Typed, body: string) => ({ namespace: typed.name, mailbox: mailboxOf(typed), body });

  /** Everything that has to be fixed before the address can answer or be made. */
  function errorsIn(typed: Typed): readonly FieldError[] {
    const errors = errorsOf(typed);
    try {
      preview.mailbox(wanted(typed, ''));
      return errors;
    } catch (error) {
      if (!isFieldError(error)) throw error;
      return [...errors, ...error.errors];
    }
  }

  /** The preview before it was used: what was typed, and what is missing. */
  function untried(typed: Typed): PreviewState {
    const missing = errorLinks(typed, errorsIn(typed));
    if (missing.length === 0 && typed.behavior.answered !== undefined)
      return { text: typed.body, tried: '', turns: outsideNote() };
    const tried = typed.tried || firstExample(typed);
    return missing.length === 0 ? { text: typed.body, tried: typed.tried } : { text: typed.body, tried, missing };
  }

  /** The first preview, where it is available at once. */
  async function first(typed: Typed, call: Pick<Call, 'caller' | 'gone'>): Promise<PreviewState> {
    const before = untried(typed);
    if (before.missing !== undefined || before.turns !== undefined) return before;
    // A behavior that has to load first would delay the page; what needs no loading costs as little as a page view.
    if (typed.behavior.prepare !== undefined) return {};
    const tried = firstExample(typed);
    return {
      turns: await exchange(
        await preview.run({ ...wanted(typed, tried), caller: guestCaller(call.caller.network) }, call.gone()),
      ),
      tried,
    };
  }

  async function tryOut(call: Pick<Call, 'caller' | 'gone' | 'form'>, typed: Typed): Promise<Tried> {
    const tried = messageOf(call.form, typed);
    const wrong = errorsIn(typed);
    if (wrong.length > 0) {
      return { status: 422, preview: { text: typed.body, tried, missing: errorLinks(typed, wrong) }, errors: wrong };
    }
    if (typed.behavior.answered !== undefined) return { status: 200, preview: untried(typed), errors: [] };
    const wait = await sendRefusal(call.caller, call.form, parts);
    if (wait?.kind === 'wait') {
      return { status: 429, preview: { wait, text: tried }, errors: [], retry: String(wait.seconds) };
    }
    try {
      const caller = guestCaller(call.caller.network);
      const made = await preview.run({ ...wanted(typed, tried), caller }, call.gone());
      return { status: 200, preview: { turns: await exchange(made), tried }, errors: [] };
    } catch (error) {
      if (!isFieldError(error)) throw error;
      const own = error.errors.find(({ pointer }) => pointer === '/body');
      const errors = error.errors.filter((error) => error !== own);
      return { status: 422, preview: { text: typed.body, tried, ...(own && { error: own.message }) }, errors };
    }
  }

  async function make(call: Pick<Call, 'caller' | 'form'>, typed: Typed, renew: boolean): Promise<Answer> {
    const result = await makeAddress(typed, call, parts, renew);
    switch (result.kind) {
      case 'made': {
        const { namespace, mailbox, key, secret, replayed, webhook_secret } = result;
        const done = {
          address: { local_part: mailbox.local_part, namespace: namespace.name },
          behavior: mailbox.behavior,
          connects: typed.behavior.answered !== undefined,
          by_hand: typed.behavior.answered?.alwaysOnline(mailbox.settings) ?? false,
          listed: mailbox.listed,
          key,
          secret,
          webhook_secret,
          form: call.form,
          at: clock(),
        };
        const page = donePage(done, { mailDomain, takesMail: parts.takesMail, baseUrl: parts.baseUrl() });
        return pageAnswer(replayed ? 200 : 201, page, NO_STORE);
      }
      case 'address':
        return addressStep(422, typed, { errors: result.errors, form: call.form });
      case 'settings':
        return behaviorStep(result.status, typed, { errors: result.errors });
      case 'sent-before':
        return behaviorStep(422, result.typed, { note: result.note });
      case 'limit':
        return behaviorStep(429, typed, { note: result.note, headers: { 'retry-after': String(result.seconds) } });
    }
  }

  return [
    pageRoute('GET', '/new', {
      async handle(call) {
        if (wantsMarkdown(call)) return newMarkdown(parts);
        const typed = typedOfLink(call.query, behaviors);
        const absent = absentBehavior(call.query, behaviors);
        const note = absent === undefined ? undefined : absentNote(absent, typed);
        if (typed.name === '' && call.query.name === undefined) return addressStep(200, typed, { note });
        const errors = await checkAddress(typed, parts);
        if (!isFine(errors)) return addressStep(422, typed, { errors, note });
        const lower = lowered(typed);
        return behaviorStep(200, lower, { preview: await first(lower, call), ...(note && { note }) });
      },
    }),
    pageRoute('POST', '/new', {
      form: true,
      async handle(call) {
        const { form } = call;
        const typed = typedOf(form, behaviors);
        const what = form.has('example') || form.has('again') ? 'preview' : form.has('add') ? 'choose' : form.get('do');
        if (what === 'address') return addressStep(200, typed, { form });
        if (what === 'make' || what === 'renew') return make(call, typed, what === 'renew');
        const errors = await checkAddress(typed, parts);
        if (!isFine(errors)) return addressStep(422, typed, { errors, form });
        const lower = lowered(typed);
        if (what !== 'preview') return behaviorStep(200, lower);
        const tried = await tryOut(call, lower);
        return behaviorStep(tried.status, lower, {
          ...tried,
          ...(tried.retry === undefined ? {} : { headers: { 'retry-after': tried.retry } }),
        });
      },
    }),
    pageRoute('POST', '/new/preview', {
      form: true,
      async handle(call) {
        const typed = typedOf(call.form, behaviors);
        const { status, preview: shown, errors } = await tryOut(call, typed);
        const body = { ...previewJson(shown), errors: errors.length };
        return { status, body, headers: NO_STORE };
      },
    }),
    pageRoute('GET', '/new/name', {
      async handle(call) {
        const typed = typedOfLink(call.query, behaviors);
        const errors = await checkAddress(typed, parts);
        const name = { fine: errors.name === undefined, html: nameState(typed, errors).text };
        const local = { fine: errors.local === undefined, html: localState(errors).text };
        return { status: 200, body: { name, local }, headers: NO_STORE };
      },
    }),
    pageRoute('POST', '/new/key', {
      form: true,
      handle: ({ form }) => keyFile(form, mailDomain),
    }),
  ];
}

const absentNote = (name: string, { behavior }: Typed): Html =>
  note(
    'plain',
    'warn',
    html`This service does not offer “<span dir="auto">${name}</span>”.`,
    `“${wordsOf(behavior).title}” is chosen instead; you can choose another on the next page, or before you make the address.`,
  );

const lowered = (typed: Typed): Typed => ({ ...typed, name: lowerCase(typed.name), local: lowerCase(typed.local) });

interface Tried {
  readonly status: number;
  readonly preview: PreviewState;
  readonly errors: readonly FieldError[];
  readonly retry?: string;
}
