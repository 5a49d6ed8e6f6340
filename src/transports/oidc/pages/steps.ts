import { hidden } from '../../../http/hidden.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { route } from '../../../http/route.ts';
import { askCode, isOwnLink, linkElsewhere, offerCode, verify } from './ask-code.ts';
import { answerOffer, offerPasskey } from './ask-passkey.ts';
import { askWho, byPasskey, sendCode } from './ask-who.ts';
import { type PageCall, type People, rootOf, senderOf, type Visitor, visitorOf } from './people.ts';
import type { Steps } from './purpose.ts';
import { type Below, Step } from './step.ts';

type Handle = (step: Step) => Promise<Answer>;

/** A sign-in step by step: who are you, the code, the mail's link, a passkey for the next time. */
export function stepRoutes({ base, names, open }: Steps, people: People): readonly Route[] {
  const { parts } = people;
  const limits = [parts.limiters.pages];
  /** Where these pages begin, for this request, from the root. */
  const pathOf = (call: PageCall): string =>
    base.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params[name] ?? ''));
  const visit = (call: PageCall): Promise<Visitor> => visitorOf(call, people, parts.people.browserCookie.fresh());
  const stepOf = async (call: PageCall, visitor: Visitor, below: Below): Promise<Step> =>
    new Step({ call, visitor, purpose: await open(call) }, { path: pathOf(call), below }, people);

  const paths = names === undefined ? {} : { names };
  const page = (below: Below, handle: (call: PageCall) => Promise<Answer>): Route =>
    route({
      ...hidden('GET', `${base}${below}`),
      ...paths,
      limits,
      handle: (call) => handle(call as unknown as PageCall),
    });
  const shows = (below: Below, handle: Handle): Route =>
    page(below, async (call) => handle(await stepOf(call, await visit(call), below)));
  const takes = (below: Below, handle: Handle): Route =>
    route({
      ...hidden('POST', `${base}${below}`),
      ...paths,
      limits,
      form: true,
      async handle(any) {
        const call = any as unknown as PageCall;
        return handle(await stepOf(call, await senderOf(call, people, pathOf(call)), below));
      },
    });

  return [
    shows('', askWho),
    takes('', answerWho),
    shows('/code', (step) => askCode(step, step.query('attempt'))),
    takes('/code', verify),
    page('/link', async (call) => {
      const visitor = await visit(call);
      if (await isOwnLink(call, visitor, people)) return offerCode(await stepOf(call, visitor, '/link'));
      return linkElsewhere(call, rootOf(`${pathOf(call)}/link`), people);
    }),
    shows('/passkey', offerPasskey),
    takes('/passkey', answerOffer),
  ];
}

async function answerWho(step: Step): Promise<Answer> {
  const { visitor, purpose } = step;
  switch (step.field('do')) {
    case 'continue':
      return visitor.session !== undefined && purpose.goes_on
        ? step.leave(await purpose.finish(visitor.session))
        : askWho(step);
    case 'cancel':
      return purpose.deny === undefined ? askWho(step) : step.leave(await purpose.deny());
    case 'passkey':
      return byPasskey(step);
    default:
      return sendCode(step);
  }
}
