import type { Clock } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import { AppError } from '@mailroom/behavior/values/error';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { settingsMain } from './settings-page.ts';
import { PRIVATE, type Signed, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saved: 'Saved.',
    ended: 'That session is signed out.',
    lifted: 'Mail is sent to that address again.',
  }),
);

/** The first ones are shown; all are in the API. */
const MAX_SUPPRESSIONS = '200';

interface Shown {
  readonly display_name?: string;
  readonly errors?: readonly FieldError[];
  readonly done?: string | undefined;
  readonly wrong?: boolean;
}

/** The pages of the namespace itself: its name, its export, its sessions, its deletion. */
export function settingsRoutes(context: Context, { clock }: { readonly clock: Clock }): readonly Route[] {
  const { cookie } = context;

  async function show(status: number, signed: Signed, more: Shown = {}): Promise<Answer> {
    const { namespace } = signed.session;
    const { display_name = namespace.display_name ?? '', errors = [], done, wrong = false } = more;
    const { api } = signed;
    const side = await context.side(signed);
    const main = settingsMain({
      display_name,
      errors,
      done,
      wrong,
      side,
      owners: (await api.json('listOwners')).items,
      domains: await api.all('listDomains', { params: { name: namespace.name } }),
      suppressions: (await api.json('listSuppressions', { query: { limit: MAX_SUPPRESSIONS } })).items,
      sessions: (await api.json('listSessions')).items,
      signed,
      now: clock(),
    });
    const title = `${errors.length > 0 || wrong ? 'Error: ' : ''}Settings`;
    return context.answer(status, { title, root: '../', tab: 'settings', styles: ['forms.css'], main }, signed, side);
  }

  return [
    signedPage('/console/settings', context, (call, signed) =>
      show(200, signed, { done: DONE.get(String(call.query.done)) }),
    ),
    signedForm('/console/settings', context, async (call, signed) => {
      const { name } = signed.session.namespace;
      const { api } = signed;
      if (call.form.get('do') === 'delete') {
        const typed = (call.form.get('typed') ?? '').trim().toLowerCase();
        if (typed !== name) return show(422, signed, { wrong: true });
        await api.json('deleteNamespace', { params: { name } });
        await api.json('endSessions');
        return seeOther('../console?note=deleted', { ...PRIVATE, 'set-cookie': cookie.clear(call.secure) });
      }
      if (call.form.get('do') === 'end') {
        await api.json('endSession', { params: { id: call.form.get('session') ?? '' } });
        return seeOther('settings?done=ended');
      }
      if (call.form.get('do') === 'lift') {
        await api.json('liftSuppression', { params: { address: call.form.get('address') ?? '' } }).catch(alreadyLifted);
        return seeOther('settings?done=lifted');
      }
      const display_name = (call.form.get('display_name') ?? '').trim();
      try {
        const body = { display_name: display_name === '' ? null : display_name };
        await api.json('updateNamespace', { params: { name }, body });
        return seeOther('settings?done=saved');
      } catch (error) {
        return show(422, signed, { display_name, errors: errorsOf(error) });
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

/** Another window may have lifted it. */
function alreadyLifted(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
