import { requireOwn } from '../../../core/access/caller.ts';
import type { Registry } from '../../../core/access/registry.ts';
import { NamespaceChange } from '../../../core/entities/namespace.ts';
import type { ExportParts } from '../../../core/reports/export-lines.ts';
import { exportName, exportText } from '../../../core/reports/export-lines.ts';
import type { Claims } from '../../../core/sign-in/claims.ts';
import type { FieldError } from '../../../core/values/error.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { JSON_LINES } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { settingsMain } from './settings-page.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const check = compileCheck(NamespaceChange);
const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saved: 'Saved.',
    ended: 'That session is signed out.',
    lifted: 'Mail is sent to that address again.',
  }),
);

/** The first ones are shown; all are in the API. */
const MAX_SUPPRESSIONS = 200;

interface Shown {
  readonly display_name?: string;
  readonly errors?: readonly FieldError[];
  readonly done?: string | undefined;
  readonly wrong?: boolean;
}

interface SettingsParts extends ExportParts {
  readonly registry: Registry;
  readonly claims: Claims;
}

/** The pages of the namespace itself: its name, its export, its sessions, its deletion. */
export function settingsRoutes(context: Context, parts: SettingsParts): readonly Route[] {
  const { registry, claims, clock } = parts;
  const { suppressions } = parts.store;
  const { sessions, cookie } = context;

  async function show(status: number, call: SignedCall, signed: Signed, more: Shown = {}): Promise<Answer> {
    const { namespace } = signed.session;
    const { display_name = namespace.display_name ?? '', errors = [], done, wrong = false } = more;
    const side = await context.side(signed);
    const main = settingsMain({
      display_name,
      errors,
      done,
      wrong,
      side,
      owners: await claims.ownersOf(namespace.id),
      domains: await context.api(call, signed).all('listDomains', { params: { name: namespace.name } }),
      suppressions: (await suppressions.page({ namespace_id: namespace.id, kind: 'email' }, null, MAX_SUPPRESSIONS))
        .items,
      sessions: await sessions.list(namespace.id),
      signed,
      now: clock(),
    });
    const title = `${errors.length > 0 || wrong ? 'Error: ' : ''}Settings`;
    return context.answer(status, { title, root: '../', tab: 'settings', styles: ['forms.css'], main }, signed, side);
  }

  return [
    signedPage('/console/settings', context, (call, signed) =>
      show(200, call, signed, { done: DONE.get(String(call.query.done)) }),
    ),
    signedForm('/console/settings', context, async (call, signed) => {
      const { namespace } = signed.session;
      if (call.form.get('do') === 'delete') {
        const typed = (call.form.get('typed') ?? '').trim().toLowerCase();
        if (typed !== namespace.name) return show(422, call, signed, { wrong: true });
        await registry.deleteNamespace(signed.caller, namespace.name);
        await sessions.endAll(namespace.id);
        return seeOther('../console?note=deleted', { ...PRIVATE, 'set-cookie': cookie.clear(call.secure) });
      }
      if (call.form.get('do') === 'end') {
        const hash = call.form.get('session') ?? '';
        const own = (await sessions.list(namespace.id)).some((one) => one.hash === hash);
        if (own) await sessions.end(hash);
        return seeOther('settings?done=ended');
      }
      if (call.form.get('do') === 'lift') {
        requireOwn(signed.caller, namespace, 'mailboxes:write');
        const target = call.form.get('address') ?? '';
        await suppressions.remove({ namespace_id: namespace.id, kind: 'email', target });
        return seeOther('settings?done=lifted');
      }
      const display_name = (call.form.get('display_name') ?? '').trim();
      try {
        const change = { display_name: display_name === '' ? null : display_name };
        check(change);
        await registry.renameNamespace(signed.caller, namespace.name, change.display_name);
        return seeOther('settings?done=saved');
      } catch (error) {
        return show(422, call, signed, { display_name, errors: errorsOf(error) });
      }
    }),
    // A form and not a link, so that another site cannot start the download.
    signedForm('/console/export', context, (_call, { session: { namespace }, caller }) => {
      const key = requireOwn(caller, namespace, 'owner');
      const at = clock();
      return {
        status: 200,
        body: exportText(parts, namespace, key, at),
        headers: {
          ...PRIVATE,
          'content-type': `${JSON_LINES}; charset=utf-8`,
          'content-disposition': `attachment; filename="${exportName(namespace, at)}"`,
        },
      };
    }),
  ];
}
