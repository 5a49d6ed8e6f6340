import type { DomainRegistry } from '../../../core/access/domain-registry.ts';
import { domainView } from '../../../core/entities/domain.ts';
import type { Clock } from '../../../core/values/clock.ts';
import { AppError } from '../../../core/values/error.ts';
import type { Limiters } from '../../../http/limits.ts';
import { count } from '../../../http/limits.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import type { DomainPage, DomainsPage } from './domains-page.ts';
import { domainMain, domainsMain } from './domains-page.ts';
import { errorsOf } from './fields.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    added: 'The domain is added. Publish its records.',
    rotated: 'There are new keys. Publish their records.',
    checked: 'The records are looked up.',
    removed: 'The domain is removed.',
  }),
);
const STYLES = ['forms.css', 'made.css'];

interface DomainPageParts {
  readonly domains: DomainRegistry;
  readonly clock: Clock;
  readonly rateLimits: boolean;
  readonly limiters: Pick<Limiters, 'domainChecks'>;
}

/** The pages of the namespace's domains: the list with a form for a new one, and each one's own page. */
export function domainPages(context: Context, parts: DomainPageParts): readonly Route[] {
  const { domains, clock, rateLimits, limiters } = parts;

  async function list(status: number, call: SignedCall, signed: Signed, more: Partial<DomainsPage> = {}) {
    const { namespace } = signed.session;
    const main = domainsMain({
      domains: await domains.list(signed.caller, namespace.name),
      claimed: await domains.isClaimed(namespace),
      typed: '',
      errors: [],
      done: DONE.get(String(call.query.done)),
      signed,
      now: clock(),
      ...more,
    });
    const title = (more.errors ?? []).length > 0 ? 'Error: Domains' : 'Domains';
    return context.answer(status, { title, root: '../', tab: 'settings', styles: STYLES, main }, signed);
  }

  async function one(status: number, call: SignedCall, signed: Signed, errors: DomainPage['errors'] = []) {
    const { name } = signed.session.namespace;
    const domain = await domains.get(signed.caller, name, call.params.domain ?? '');
    const main = domainMain({
      domain,
      records: domainView(domain, name, domains.records(domain)).records,
      errors,
      done: DONE.get(String(call.query.done)),
      signed,
      now: clock(),
    });
    const title = errors.length > 0 ? 'Error: Domain' : domain.domain;
    return context.answer(status, { title, root: '../../', tab: 'settings', styles: STYLES, main }, signed);
  }

  async function countCheck({ session }: Signed): Promise<void> {
    const counted = rateLimits ? await count([limiters.domainChecks], session.namespace.id) : undefined;
    if (counted?.refused !== undefined) throw counted.refused;
  }

  async function act(call: SignedCall, signed: Signed): Promise<Answer> {
    const { name } = signed.session.namespace;
    const domain = call.params.domain ?? '';
    switch (call.form.get('do')) {
      case 'verify': {
        await countCheck(signed);
        const { domain: checked } = await domains.verify(signed.caller, name, domain);
        return seeOther(`${checked}?done=checked`);
      }
      case 'rotate': {
        await countCheck(signed);
        const { domain: rotated } = await domains.rotate(signed.caller, name, domain);
        return seeOther(`${rotated}?done=rotated`);
      }
      case 'remove':
        await domains.remove(signed.caller, name, domain);
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
        const { domain } = await domains.add(signed.caller, signed.session.namespace.name, typed);
        return seeOther(`domains/${domain.domain}?done=added`);
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
