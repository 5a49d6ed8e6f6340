import { MailroomError } from '../error.ts';
import { UsageError } from './command.ts';
import { jsonOf } from './terminal.ts';

/** The exit codes, which scripts may rely on. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'the message failed, was rejected or canceled, or the service refused the request',
  2: 'the command is not written as it should be',
  3: 'no key, or one that may not do this',
  4: 'there is no such address, message or namespace',
  5: 'no answer in time; it still comes',
  6: 'the service cannot be reached, is busy or broke',
  130: 'ended by Ctrl-C',
};

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (!(error instanceof MailroomError)) return 1;
  const { code, status } = error;
  if (code === 'timeout' && error.envelope !== undefined) return 5;
  if (code === 'configuration' || status === 401 || status === 403) return 3;
  if (status === 404 || status === 410) return 4;
  if (code === 'network_error' || code === 'timeout' || status === 429 || (status ?? 0) >= 500) return 6;
  return 1;
}

/** What may fix an error, for the codes where the service cannot know it. */
export function adviceOf(error: unknown): string | undefined {
  if (!(error instanceof MailroomError)) return undefined;
  switch (error.code) {
    case 'missing_key':
      return 'Log in with mailroom login, or make a namespace with mailroom new NAME.';
    case 'invalid_key':
      return 'Log in again with mailroom login, or set MAILROOM_KEY to a key that works.';
    case 'insufficient_scope':
      return 'mailroom keys shows what your keys may do; an owner makes another with mailroom keys new.';
    case 'not_found':
      return error.message.startsWith('There is nothing at /api/')
        ? 'The service is older than this command line, or the URL leads elsewhere.'
        : adviceByPage(error);
    case 'network_error':
      return 'Is the URL right? It is from --url, MAILROOM_URL or the account in use (mailroom accounts).';
    default:
      return adviceByPage(error);
  }
}

const adviceByPage = ({ docs }: MailroomError): string | undefined => (docs === undefined ? undefined : `See ${docs}`);

/** An error as JSON, for programs. */
export function errorJson(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const advice = adviceOf(error);
  const { code, status, errors, request_id } =
    error instanceof MailroomError ? error : { code: 'usage', status: undefined, errors: [], request_id: undefined };
  return jsonOf({ error: { code, message, status, errors, request_id, advice, exit_code: exitCodeOf(error) } });
}

/** The option that a field of a request was given by: `/expires_at` by `--expires`, `/scopes/0` by `--scope`. */
function optionOf(pointer: string, options: readonly string[]): string {
  const [, name = ''] = pointer.split('/');
  const option = options.find((one) => name === one.replaceAll('-', '_') || name.startsWith(one));
  return option === undefined ? pointer : `--${option}`;
}

/** An error as lines for a person; `options` are those of the command, without dashes. */
export function errorLines(error: unknown, options: readonly string[] = []): readonly string[] {
  const whole = error instanceof Error ? error.message : String(error);
  const text = whole.replace(/^(\/[\w/]+): /, (_, pointer: string) => `${optionOf(pointer, options)}: `);
  const fields = error instanceof MailroomError ? error.errors : [];
  const advice = adviceOf(error);
  return [
    `mailroom: ${text}`,
    // A single one is the text itself.
    ...(fields.length > 1 ? fields.map(({ pointer, message }) => `  ${optionOf(pointer, options)}: ${message}`) : []),
    ...(advice === undefined ? [] : [advice]),
  ];
}
