import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { NewAttachments } from '../entities/attachment.ts';
import { dataText } from '../submission/send-fields.ts';
import type { Answer } from './answer.ts';

const Reason = Type.String({ minLength: 1, maxLength: 500 });
const ReasonWithCode = Type.Object(
  {
    code: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,63}$',
        description: 'A name for programs; `behavior_failed` or `rejected` by default.',
        examples: ['out_of_stock'],
      }),
    ),
    message: Reason,
  },
  { additionalProperties: false },
);

/** What a program answers, by a request of its own or in the response to a webhook. */
export const AnswerFields = Type.Object(
  {
    body: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
        description: 'Markdown. Required unless the status is `failed` or `rejected`.',
      }),
    ),
    data: Type.Optional(Type.Unknown({ description: 'Any JSON: a structured part in addition to the text.' })),
    attachments: Type.Optional(NewAttachments),
    status: Type.Optional(
      Type.Enum(['completed', 'input_required', 'rejected', 'failed'], {
        default: 'completed',
        description: '`input_required`: the body asks back; the sender answers with a new message in the thread.',
      }),
    ),
    error: Type.Optional(
      Type.Union([Reason, ReasonWithCode, Type.Null()], {
        description: 'Why it failed or was rejected, shown to the sender: a text, or `{code, message}`.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AnswerFields = Type.Static<typeof AnswerFields>;

/**
 * The answer that the fields make, with `data` of at most `max_data` bytes. AppError `validation_error` when they do not go
 * together, `body_too_large`.
 */
export function answerOf(
  { body = null, status = 'completed', error = null, data: structured }: AnswerFields,
  max_data: number,
  has_files: boolean,
): Pick<Answer, 'status' | 'body' | 'data' | 'error' | 'error_code'> {
  const fails = status === 'failed' || status === 'rejected';
  if (body === null && !fails) throw invalid('/body', `An answer that is ${status} has a body.`);
  if (body === null && error === null) throw invalid('/error', 'Say why: in error, or in body.');
  if (error !== null && !fails) throw invalid('/error', 'Only a failed or rejected answer has an error.');
  if (body === null && has_files) throw invalid('/attachments', 'Files belong to a body. Add one.');
  const data = dataText(structured, max_data);
  if (body === null && data !== null) throw invalid('/data', 'Data belongs to a body. Add one.');
  const { message, code = null } = typeof error === 'string' ? { message: error } : (error ?? { message: null });
  return { status, body, data, error: message, error_code: code };
}
