import { Challenge } from '../../http/challenges.ts';
import type { Parts } from '../../http/parts.ts';
import type { Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';

export const challengeRoutes = ({ challenges, limiters }: Parts): readonly Route[] => [
  route({
    method: 'POST',
    path: '/api/v1/challenges',
    id: 'createChallenge',
    tag: 'Messages',
    summary: 'Get a challenge, to go on beyond a limit for guests',
    description:
      'Proof of work, as ALTCHA does it. Solve it and send the payload, `{challenge, solution}` as base64 of JSON, in the header `Altcha` of a try-out or of a new namespace that was refused as `rate_limited`: each solution lets one more through. It is for the network that asked, lives 10 minutes and counts once; the more are spent in a day, the more work the next one is. Below the limit nothing is asked, and a solution that is sent is not spent.',
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
