import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Suppression } from './delivery.ts';

export const SuppressionView = Type.Object(
  {
    address: Type.String({ examples: ['ada@example.com'] }),
    reason: Type.String({ description: 'What came back.', examples: ['bounced 5.1.1'] }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Suppression', description: 'An address outside to which nothing is sent from the namespace.' },
);

export type SuppressionView = Type.Static<typeof SuppressionView>;

export const suppressionView = ({ target, reason, created_at }: Suppression): SuppressionView => ({
  address: target,
  reason,
  created_at: rfc3339(created_at),
});
