import { Type } from 'typebox';
import { compileCheck } from '../../http/validate.ts';
import { Base64, given, Id, MessageId } from './fields.ts';

const Metadata = given(Type.Object({}));
const TaskParams = Type.Object({ id: Type.String(), historyLength: given(Type.Integer({ minimum: 0 })) });
const PushParams = Type.Object({ id: Type.String(), pushNotificationConfigId: given(Type.String()) });
const PushConfig = Type.Object({
  id: given(Type.String()),
  url: Type.String(),
  token: given(Type.String()),
  authentication: given(Type.Object({ schemes: Type.Array(Type.String()), credentials: given(Type.String()) })),
});

const Part = Type.Union([
  Type.Object({ kind: Type.Literal('text'), text: Type.String(), metadata: Metadata }),
  Type.Object({ kind: Type.Literal('data'), data: Type.Object({}), metadata: Metadata }),
  Type.Object({
    kind: Type.Literal('file'),
    file: Type.Object({
      bytes: given(Base64),
      uri: given(Type.String()),
      name: given(Type.String({ maxLength: 1000 })),
      mimeType: given(Type.String({ maxLength: 255 })),
    }),
    metadata: Metadata,
  }),
]);

const SendParams = Type.Object({
  message: Type.Object({
    messageId: MessageId,
    role: Type.Literal('user'),
    contextId: Id,
    taskId: Id,
    parts: Type.Array(Part, { minItems: 1, maxItems: 100 }),
    metadata: Metadata,
    extensions: given(Type.Array(Type.String())),
    referenceTaskIds: given(Type.Array(Type.String())),
  }),
  configuration: given(
    Type.Object({
      acceptedOutputModes: given(Type.Array(Type.String())),
      historyLength: given(Type.Integer({ minimum: 0 })),
      blocking: given(Type.Boolean()),
      pushNotificationConfig: given(PushConfig),
    }),
  ),
  metadata: Metadata,
});

const checkSend = compileCheck(SendParams);
const checkTask = compileCheck(TaskParams);
const checkPush = compileCheck(PushParams);

/** The checks of parameters by the methods of A2A 0.3, whose translation by the SDK takes any value. */
const CHECKS: ReadonlyMap<unknown, (params: unknown) => void> = new Map([
  ['message/send', checkSend],
  ['message/stream', checkSend],
  ['tasks/get', checkTask],
  ['tasks/cancel', checkTask],
  ['tasks/resubscribe', checkTask],
  [
    'tasks/pushNotificationConfig/set',
    compileCheck(Type.Object({ taskId: Type.String(), pushNotificationConfig: PushConfig })),
  ],
  ['tasks/pushNotificationConfig/get', checkPush],
  ['tasks/pushNotificationConfig/list', checkPush],
  ['tasks/pushNotificationConfig/delete', checkPush],
]);

/** Throws AppError `validation_error` for what cannot be the parameters of this method of A2A 0.3. */
export const checkLegacy = (method: unknown, params: unknown): void => CHECKS.get(method)?.(params);
