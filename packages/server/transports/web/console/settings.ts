import type { Clock } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import { hasScope } from '../../../core/entities/key.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { errorsOf, noneFor } from './fields.ts';
import { dangerMain, sessionsMain, settingsMain } from './settings-page.ts';
import { doneTexts } from './shell.ts';
import { PRIVATE, type Signed, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const doneText = doneTexts({
  saved: 'Saved.',
  ended: 'That session is signed out.',
  lifted: 'Mail is sent to that address again.',
});

/** The first ones are shown; all are in the API. */
const MAX_SUPPRESSIONS = '200';

interface Shown {
  readonly display_name?: string;
  readonly errors?: readonly FieldError[];
  readonly done?: string | undefined;
}

/** The pages of the namespace itself: its name, its export, its sessions, its deletion. */
export function settingsRoutes(context: Context, { clock }: { readonly clock: Clock }): readonly Route[] {
  const { cookie } = context;

  async function general(status: number, signed: Signed, more: Shown = {}): Promise<Answer> {
    const { namespace } = signed.session;
    const { display_name = namespace.display_name ?? '', errors = [], done } = more;
    const side = await context.side(signed);
    const { api } = signed;
    const { items: owners } = await api.json('listOwners');
    const { items: suppressions } = await api.json('listSuppressions', { query: { limit: MAX_SUPPRESSIONS } });
    const main = settingsMain({ display_name, errors, done, side, owners, suppressions, signed, now: clock() });
    return context.settings(status, 'general', 'Settings', main, signed, { errors, side });
  }

  async function sessions(signed: Signed, done: string | undefined): Promise<Answer> {
    const { items } = await signed.api.json('listSessions');
    const main = sessionsMain({ sessions: items, done, signed, now: clock() });
    return context.settings(200, 'sessions', 'Sessions', main, signed);
  }

  async function danger(status: number, signed: Signed, wrong = false): Promise<Answer> {
    const side = await context.side(signed);
    const title = `Delete ${signed.session.namespace.name}`;
    const main = dangerMain({ side, wrong, signed });
    return context.settings(status, 'danger', title, main, signed, { errors: wrong ? [wrong] : [], side });
  }

  return [
    signedPage('/console/settings', context, ({ query }, signed) => {
      const done = doneText(query.done);
      if (query.tab === 'sessions' || !hasScope(signed.session.key, 'owner')) return sessions(signed, done);
      return query.tab === 'danger' ? danger(200, signed) : general(200, signed, { done });
    }),
    signedForm('/console/settings', context, async (call, signed) => {
      const { name } = signed.session.namespace;
      const { api } = signed;
      if (call.form.get('do') === 'delete') {
        const typed = (call.form.get('typed') ?? '').trim().toLowerCase();
        if (typed !== name) return danger(422, signed, true);
        await api.json('deleteNamespace', { params: { name } });
        await api.json('endSessions');
        return seeOther('../console?note=deleted', { ...PRIVATE, 'set-cookie': cookie.clear(call.secure) });
      }
      if (call.form.get('do') === 'end') {
        await api.json('endSession', { params: { id: call.form.get('session') ?? '' } });
        return seeOther('settings?tab=sessions&done=ended');
      }
      if (call.form.get('do') === 'lift') {
        const params = { address: call.form.get('address') ?? '' };
        // Another window may have lifted it.
        await api.json('liftSuppression', { params }).catch(noneFor('not_found'));
        return seeOther('settings?done=lifted');
      }
      const display_name = (call.form.get('display_name') ?? '').trim();
      try {
        const body = { display_name: display_name === '' ? null : display_name };
        await api.json('updateNamespace', { params: { name }, body });
        return seeOther('settings?done=saved');
      } catch (error) {
        return general(422, signed, { display_name, errors: errorsOf(error) });
      }
    }),
    // A form and not a link, so that another site cannot start the download.
    signedForm('/console/export', context, async (_call, signed) => {
      const params = { name: signed.session.namespace.name };
      const answer = await signed.api.call('exportNamespace', { params });
      return { ...answer, headers: { ...PRIVATE, ...answer.headers } };
    }),
  ];
}
