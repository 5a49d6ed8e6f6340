import type { FieldError } from '@mailroom/behavior/values/error';
import type { Notices } from '../../../core/entities/notices.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { errorsOf, noneFor } from './fields.ts';
import { NEVER, noticesMain } from './notices-page.ts';
import { type Signed, seeOther, signedForm, signedPage } from './sign-in-form.ts';

/** The page on which a member chooses how they are called. */
export function noticePages(context: Context): readonly Route[] {
  interface Shown {
    readonly notices: Notices | undefined;
    readonly errors?: readonly FieldError[];
    readonly done?: string | undefined;
  }
  function show(status: number, signed: Signed, { notices, errors = [], done }: Shown): Promise<Answer> {
    const main = noticesMain({ notices, errors, done, signed });
    return context.settings(status, 'notices', 'Notices', main, signed, { errors });
  }

  return [
    signedPage('/console/notices', context, async ({ query }, signed) => {
      // Who signed in with a key of no member has none.
      const notices = await signed.api.json('getNotices').catch(noneFor('not_found'));
      return show(200, signed, { notices, done: query.done === undefined ? undefined : 'Saved.' });
    }),
    signedForm('/console/notices', context, async ({ form }, signed) => {
      const minutes = form.get('mail_minutes') ?? '';
      const body: Notices = {
        browser: form.get('browser') !== null,
        mail_minutes: minutes === NEVER ? null : Number(minutes),
      };
      try {
        await signed.api.json('setNotices', { body });
        return seeOther('notices?done=saved');
      } catch (error) {
        return show(422, signed, { notices: body, errors: errorsOf(error, { not_found: '' }) });
      }
    }),
  ];
}
