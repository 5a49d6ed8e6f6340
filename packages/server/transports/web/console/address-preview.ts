import type { Behavior } from '@mailroom/behavior';
import { AppError } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Preview } from '../../../core/runs/preview.ts';
import { type Html, html } from '../../../http/html.ts';
import { countSend, type SendLimits } from '../../../http/sends.ts';
import { isFieldError } from '../guest.ts';
import { secondsOf } from '../guest-access.ts';
import { exchange, firstExample, messageOf, outsideNote, type PreviewState, previewCard } from '../new/preview-card.ts';
import type { Typed } from '../new/typed.ts';
import { settingsFields, type TypedAddress } from './address-form.ts';
import type { Signed, SignedCall } from './sign-in-form.ts';

const OUTSIDE = 'Messages wait until then.';

export interface PreviewParts extends SendLimits {
  readonly preview: Preview;
}

/** What was typed, as the card of the preview takes it. */
const typedOf = (typed: TypedAddress, { namespace, local_part }: Mailbox, form = new URLSearchParams()): Typed => ({
  name: namespace,
  local: local_part,
  behavior: typed.behavior,
  settings: typed.settings,
  line: typed.description,
  listed: typed.visibility === 'listed',
  body: form.get('body') ?? '',
  tried: form.get('tried') ?? '',
  idempotency: '',
});

const wanted = ({ behavior, settings }: TypedAddress, { namespace, local_part }: Mailbox) => ({
  namespace,
  mailbox: {
    local_part,
    behavior: { name: behavior.name, settings: (settings.get(behavior.name) ?? {}) as Record<string, unknown> },
  },
});

/** An exchange with an address whose settings are being changed, without storing anything. */
export class AddressPreview {
  readonly #parts: PreviewParts;

  constructor(parts: PreviewParts) {
    this.#parts = parts;
  }

  /** `behaviors`: those that the form lets choose from, in its order. */
  card(typed: TypedAddress, mailbox: Mailbox, behaviors: readonly Behavior[], state: PreviewState): Html {
    const words = behaviors.length > 1 ? 'Uses the settings in this form' : 'Answers as it does now';
    return previewCard(typedOf(typed, mailbox), behaviors, state, this.#parts.preview.max_body, '#preview', words);
  }

  /** The preview of a page that was just opened: the first example, where its answer is there at once. */
  async first(typed: TypedAddress, mailbox: Mailbox, gone: AbortSignal): Promise<PreviewState> {
    const { behavior } = typed;
    if (behavior.answered !== undefined) return { turns: outsideNote(OUTSIDE) };
    // A behavior that has to load first would delay the page.
    if (behavior.prepare !== undefined) return {};
    const tried = firstExample(typedOf(typed, mailbox));
    try {
      return {
        turns: await exchange(await this.#parts.preview.run({ ...wanted(typed, mailbox), body: tried }, gone)),
        tried,
      };
    } catch (error) {
      if (!isFieldError(error)) throw error;
      return {};
    }
  }

  /** Answers the message of the form with the settings that are typed there, and the status of its page. */
  async answer(
    typed: TypedAddress,
    mailbox: Mailbox,
    call: SignedCall,
    signed: Signed,
  ): Promise<{ readonly status: number; readonly state: PreviewState }> {
    const { preview } = this.#parts;
    const question = typedOf(typed, mailbox, call.form);
    const tried = messageOf(call.form, question);
    if (typed.behavior.answered !== undefined)
      return { status: 200, state: { turns: outsideNote(OUTSIDE), tried: '' } };
    try {
      await countSend(signed.caller, this.#parts);
      const answered = await preview.run(
        { ...wanted(typed, mailbox), body: tried, caller: mailbox.namespace_id },
        call.gone(),
      );
      return { status: 200, state: { turns: await exchange(answered), tried } };
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') {
        const wait = { kind: 'wait', seconds: secondsOf(error), sentence: html`Your text stays here.` } as const;
        return { status: 429, state: { wait, text: tried } };
      }
      if (!isFieldError(error)) throw error;
      const missing = settingsFields(typed.behavior, typed, error.errors).links;
      if (missing.length > 0) return { status: 422, state: { text: question.body, tried, missing } };
      return { status: 422, state: { text: question.body, tried, error: error.errors[0]?.message ?? error.message } };
    }
  }
}
