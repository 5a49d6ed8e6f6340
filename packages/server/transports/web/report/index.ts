import { randomUUID } from 'node:crypto';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError, problems } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { emailAddress } from '../../../core/entities/email-address.ts';
import type { Reports } from '../../../core/mail-in/abuse-reports.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Sizes } from '../../../http/limits.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { isFieldError, type TryLimits } from '../guest.ts';
import { guestAccess, secondsOf } from '../guest-access.ts';
import { NO_STORE } from '../headers.ts';
import { pageAnswer } from '../layout.ts';
import { onOneLine } from '../new/line.ts';
import { filedPage, MAX_ABOUT, type ReportState, reportPage, type TypedReport } from './report-page.ts';

export interface ReportParts extends TryLimits {
  readonly reports: Reports;
  readonly sizes: Pick<Sizes, 'guestBody'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** The contact for security problems, as a URI. */
  readonly securityContact: string | undefined;
}

/** The form by which anyone reports abuse to the operator of the service. */
export function reportRoutes(parts: ReportParts): readonly Route[] {
  const { reports, sizes, clock, mailDomain, limiters } = parts;
  const place = { contact: parts.securityContact, quota: limiters.tries[0]?.policy.quota ?? 0 };

  const show = (status: number, typed: TypedReport, state: ReportState = {}): Answer =>
    pageAnswer(status, reportPage(typed, state, place), {
      ...NO_STORE,
      ...(state.wait === undefined ? {} : { 'retry-after': String(state.wait) }),
    });

  /** Everything that is wrong with what was typed. */
  function errorsIn({ about, what, answer_to }: TypedReport): readonly FieldError[] {
    const errors: FieldError[] = [];
    if (about === '') errors.push({ pointer: '/about', message: 'Say which address or page it is about.' });
    else if (about.length > MAX_ABOUT)
      errors.push({ pointer: '/about', message: `This has ${about.length} characters; ${MAX_ABOUT} are allowed.` });
    const bytes = Buffer.byteLength(what);
    if (what.trim() === '') errors.push({ pointer: '/what', message: 'Say what happened.' });
    else if (bytes > sizes.guestBody)
      errors.push({ pointer: '/what', message: `This has ${bytes} bytes; ${sizes.guestBody} are allowed.` });
    try {
      if (answer_to !== '') emailAddress(answer_to, mailDomain);
    } catch (error) {
      if (!isFieldError(error)) throw error;
      errors.push({ pointer: '/answer_to', message: error.errors[0]?.message ?? error.message });
    }
    return errors;
  }

  async function send(call: Pick<Call, 'caller' | 'form'>, typed: TypedReport): Promise<Answer> {
    const errors = errorsIn(typed);
    if (errors.length > 0) return show(422, typed, { errors });
    const { about, what, answer_to, idempotency: key } = typed;
    const { refused } = await guestAccess(limiters.tries, call.caller, call.form, parts);
    if (refused !== undefined) return show(429, typed, { wait: secondsOf(refused) });
    const asked = { about, what, answer_to };
    // After a step back the page has the same key but may send another text, which is another report.
    const idempotency = idempotencyFor(`${key}${sha256(JSON.stringify(asked))}`, asked, call.caller, 'report', clock);
    try {
      const id = await reports.file({
        subject: `Report: ${about}`,
        body: `About: ${about}\nAnswer to: ${answer_to === '' ? 'no answer requested' : answer_to}\n\n${what}`,
        idempotency,
        network: call.caller.network,
      });
      return pageAnswer(201, filedPage(id, answer_to), NO_STORE);
    } catch (error) {
      const isShown = error instanceof AppError && [404, 413, 422, 507].includes(problems[error.code].status);
      if (!isShown) throw error;
      return show(problems[error.code].status, typed, { failed: error.message });
    }
  }

  return [
    pageRoute('GET', '/report', {
      handle(call) {
        const query: { readonly about?: unknown } = call.query;
        const about = typeof query.about === 'string' ? query.about : '';
        const typed = { about: onOneLine(about).slice(0, MAX_ABOUT), what: '', answer_to: '' };
        return show(200, { ...typed, idempotency: randomUUID() });
      },
    }),
    pageRoute('POST', '/report', {
      form: true,
      handle: (call) => send(call, typedOf(call.form)),
    }),
  ];
}

const typedOf = (form: URLSearchParams): TypedReport => ({
  about: onOneLine(form.get('about') ?? ''),
  what: form.get('what') ?? '',
  answer_to: (form.get('answer_to') ?? '').trim(),
  idempotency: (form.get('once') ?? '').slice(0, 64) || randomUUID(),
});
