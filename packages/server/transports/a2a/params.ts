import { Type } from 'typebox';
import { compileCheck } from '../../http/validate.ts';
import { given, PushFields } from './fields.ts';
import { checkSend } from './incoming.ts';

/** An id that says which task or configuration is meant. */
const Needed = Type.String({ minLength: 1 });
const HistoryLength = given(Type.Integer({ minimum: 0 }));
const OfTask = { taskId: Needed };
const OfConfig = { taskId: Needed, id: Needed };

/** The checks of parameters by the methods of A2A 1.0, because the SDK makes a text or a number of every value. */
const CHECKS: ReadonlyMap<unknown, (params: unknown) => void> = new Map([
  ['SendMessage', checkSend],
  ['SendStreamingMessage', checkSend],
  ['GetTask', compileCheck(Type.Object({ id: Needed, historyLength: HistoryLength }))],
  ['CancelTask', compileCheck(Type.Object({ id: Needed }))],
  ['SubscribeToTask', compileCheck(Type.Object({ id: Needed }))],
  [
    'ListTasks',
    compileCheck(
      Type.Object({
        contextId: given(Type.String()),
        // ProtoJSON also takes the number of a state.
        status: given(Type.Union([Type.String(), Type.Integer()])),
        pageSize: given(Type.Integer()),
        pageToken: given(Type.String()),
        historyLength: HistoryLength,
        statusTimestampAfter: given(Type.String()),
        includeArtifacts: given(Type.Boolean()),
      }),
    ),
  ],
  ['CreateTaskPushNotificationConfig', compileCheck(Type.Object({ ...OfTask, ...PushFields.properties }))],
  ['GetTaskPushNotificationConfig', compileCheck(Type.Object(OfConfig))],
  ['DeleteTaskPushNotificationConfig', compileCheck(Type.Object(OfConfig))],
  ['ListTaskPushNotificationConfigs', compileCheck(Type.Object(OfTask))],
]);

/** Fields with any JSON, whose names are their sender's. */
const FREE: ReadonlySet<string> = new Set(['data', 'metadata']);

/** The names of ProtoJSON for those of the proto file, which it also takes and which the SDK reads: `task_id`. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== 'object' || value === null) return value;
  const fields: [string, unknown][] = [];
  for (const [given, inside] of Object.entries(value)) {
    const name = given.replace(/_([a-z])/g, (_, initial: string) => initial.toUpperCase());
    if (name !== given && Object.hasOwn(value, name)) continue;
    fields.push([name, FREE.has(name) ? inside : camelCased(inside)]);
  }
  return Object.fromEntries(fields);
}

/** Whether there is such a name at all, which costs a fiftieth of making the others. */
function hasOtherNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasOtherNames);
  for (const name in value) {
    if (name.includes('_')) return true;
    if (!FREE.has(name) && hasOtherNames((value as Readonly<Record<string, unknown>>)[name])) return true;
  }
  return false;
}

/** Throws AppError `validation_error` for what cannot be the parameters of this method of A2A 1.0. */
export const checkParams = (method: unknown, params: unknown): void =>
  CHECKS.get(method)?.(hasOtherNames(params) ? camelCased(params) : (params ?? {}));
