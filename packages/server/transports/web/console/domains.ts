import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { type DomainPage, type DomainsPage, domainMain, domainsMain } from './domains-page.ts';
import { errorsOf } from './fields.ts';
import { doneTexts } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const doneText = doneTexts({
  added: 'The domain is added. Publish its records.',
  rotated: 'There are new keys. Publish their records.',
  checked: 'The records are looked up.',
  removed: 'The domain is removed.',
});
const STYLES = ['made.css'];

/** The pages of the namespace's domains: the list with a form for a new one, and each one's own page. */
export function domainPages(context: Context, { clock }: { readonly clock: Clock }): readonly Route[] {
  async function list(status: number, call: SignedCall, signed: Signed, more: Partial<DomainsPage> = {}) {
    const { api } = signed;
    const params = paramsOf(call, signed);
    const main = domainsMain({
      domains: await api.all('listDomains', { params }),
      claimed: (await api.json('getMe')).claimed,
      typed: '',
      errors: [],
      done: doneText(call.query.done),
      signed,
      now: clock(),
      ...more,
    });
    return context.settings(status, 'domains', 'Domains', main, signed, { errors: more.errors, styles: STYLES });
  }

  async function one(status: number, call: SignedCall, signed: Signed, errors: DomainPage['errors'] = []) {
    const domain = await signed.api.json('getDomain', { params: paramsOf(call, signed) });
    const main = domainMain({ domain, errors, done: doneText(call.query.done), signed, now: clock() });
    const title = errors.length > 0 ? 'Domain' : domain.domain;
    return context.settings(status, 'domains', title, main, signed, { errors, root: '../../', styles: STYLES });
  }

  async function act(call: SignedCall, signed: Signed): Promise<Answer> {
    const { api } = signed;
    const params = paramsOf(call, signed);
    switch (call.form.get('do')) {
      case 'verify': {
        const { domain } = await api.json('verifyDomain', { params });
        return seeOther(`${domain}?done=checked`);
      }
      case 'rotate': {
        const { domain } = await api.json('rotateDomainKeys', { params });
        return seeOther(`${domain}?done=rotated`);
      }
      case 'remove':
        await api.json('removeDomain', { params });
        return seeOther('../domains?done=removed');
      default:
        return one(400, call, signed);
    }
  }

  return [
    signedPage('/console/domains', context, (call, signed) => list(200, call, signed)),
    signedForm('/console/domains', context, async (call, signed) => {
      const typed = call.form.get('domain') ?? '';
      try {
        const request = { params: paramsOf(call, signed), body: { domain: typed } };
        const { domain } = await signed.api.json('addDomain', request);
        return seeOther(`domains/${domain}?done=added`);
      } catch (error) {
        return list(422, call, signed, { typed, errors: errorsOf(error, { access_denied: '' }) });
      }
    }),
    signedPage('/console/domains/{domain}', context, (call, signed) => one(200, call, signed)),
    signedForm('/console/domains/{domain}', context, async (call, signed) => {
      try {
        return await act(call, signed);
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') throw error;
        return one(422, call, signed, errorsOf(error, { access_denied: '', rate_limited: '', domain_taken: '' }));
      }
    }),
  ];
}

/** The parameters of the API's routes: the namespace, and the domain where the page is about one. */
const paramsOf = ({ params: { domain = '' } }: SignedCall, { session }: Signed) => ({
  name: session.namespace.name,
  domain,
});
