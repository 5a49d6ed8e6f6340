import { AppError } from '@mailroom/behavior/values/error';
import { html } from '../../../http/html.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { askCode, isOwnLink, linkElsewhere, offerCode, verify } from './ask-code.ts';
import { answerOffer, offerPasskey } from './ask-passkey.ts';
import { askWho, byPasskey, sendCode } from './ask-who.ts';
import { type PageCall, type People, peoplePage, rootOf, senderOf, type Visitor, visitorOf } from './people.ts';
import type { Purpose, Steps } from './purpose.ts';
import { type Below, SignInStep } from './step.ts';

type Handle = (step: SignInStep) => Promise<Answer>;

/** The steps of a sign-in: address, code, link in the mail, and the offer of a passkey. */
export function stepRoutes({ base, names, open }: Steps, people: People): readonly Route[] {
  const limits = [people.limiters.pages];
  /** The path of these pages for this request, from the root. */
  const pathOf = (call: PageCall): string =>
    base.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params[name] ?? ''));
  const visit = (call: PageCall): Promise<Visitor> => visitorOf(call, people, people.browserCookie.fresh());
  /** The answer of `handle`, or a page that says why the sign-in does not exist and what to do. */
  const answerAt = async (call: PageCall, visitor: Visitor, below: Below, handle: Handle): Promise<Answer> => {
    const path = pathOf(call);
    let purpose: Purpose;
    try {
      purpose = await open(call);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      const main = html`<h1>This sign-in cannot continue.</h1>
<p class="gets">${error.message}</p>`;
      return peoplePage(404, { title: 'This sign-in cannot continue', root: rootOf(`${path}${below}`), main }, people);
    }
    return handle(new SignInStep({ call, visitor, purpose }, { path, below }, people));
  };

  const paths = names === undefined ? {} : { names };
  const page = (below: Below, handle: (call: PageCall) => Promise<Answer>): Route =>
    pageRoute('GET', `${base}${below}`, {
      ...paths,
      limits,
      handle: (call) => handle(call as unknown as PageCall),
    });
  const shows = (below: Below, handle: Handle): Route =>
    page(below, async (call) => answerAt(call, await visit(call), below, handle));
  const takes = (below: Below, handle: Handle): Route =>
    pageRoute('POST', `${base}${below}`, {
      ...paths,
      limits,
      form: true,
      async handle(any) {
        const call = any as unknown as PageCall;
        return answerAt(call, await senderOf(call, people, pathOf(call)), below, handle);
      },
    });

  return [
    shows('', askWho),
    takes('', answerWho),
    shows('/code', (step) => askCode(step, step.query('attempt'))),
    takes('/code', verify),
    page('/link', async (call) => {
      const visitor = await visit(call);
      if (await isOwnLink(call, visitor, people)) return answerAt(call, visitor, '/link', offerCode);
      return linkElsewhere(call, rootOf(`${pathOf(call)}/link`), people);
    }),
    shows('/passkey', offerPasskey),
    takes('/passkey', answerOffer),
  ];
}

async function answerWho(step: SignInStep): Promise<Answer> {
  const { purpose, signed_in_as } = step;
  switch (step.field('do')) {
    case 'continue':
      return signed_in_as === undefined ? askWho(step) : step.leave(await purpose.finish(signed_in_as));
    case 'cancel':
      return purpose.deny === undefined ? askWho(step) : step.leave(await purpose.deny());
    case 'passkey':
      return byPasskey(step);
    default:
      return sendCode(step);
  }
}
