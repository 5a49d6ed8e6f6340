import { Challenge, type Challenges } from '../../http/challenges.ts';
import type { Limiters } from '../../http/limits.ts';
import { operation, type Route } from '../../http/route.ts';

interface ChallengeParts {
  readonly challenges: Challenges;
  readonly limiters: Pick<Limiters, 'challenges'>;
}

export const challengeRoutes = ({ challenges, limiters }: ChallengeParts): readonly Route[] => [
  operation('POST', '/api/v1/challenges', 'createChallenge', {
    tag: 'Messages',
    summary: 'Get a challenge to exceed a guest limit',
    description:
      'Proof of work, as ALTCHA does it. Solve it and send the payload, `{challenge, solution}` as base64 of JSON, in the header `Altcha` of a try-out or of a new namespace that was refused as `rate_limited`: each solution lets one more through. A challenge is valid for 10 minutes, for the network that asked for it, and can be used once; each one used on a day makes the next one harder. Below the limit none is needed, and a solution sent anyway is not used up.',
    access: 'public',
    limits: [limiters.challenges],
    answers: { 201: { description: 'The challenge.', schema: Challenge } },
    problems: [],
    handle: async ({ caller }) => ({
      status: 201,
      body: await challenges.create(caller.network),
      headers: { 'cache-control': 'no-store' },
    }),
  }),
];
