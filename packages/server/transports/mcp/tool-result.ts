import { AppError } from '@mailroom/behavior/values/error';
import type { TSchema } from 'typebox';
import { compileCheck } from '../../http/validate.ts';
import type { JsonObject, Questions, Tool, ToolCall, ToolResult } from './tool.ts';

/** Compiled with the first call of a tool. */
const checks = new WeakMap<TSchema, (args: JsonObject) => void>();

/** Throws AppError `validation_error`, in the names that the tool has, for arguments that its schema does not allow. */
function checkArguments({ input }: Tool, args: JsonObject): void {
  const check = checks.get(input) ?? compileCheck(input);
  checks.set(input, check);
  check(args);
}

/** The result of a tool; what the service refuses is a result too, so that a model can correct its call. */
export async function resultOf(tool: Tool, args: JsonObject, call: ToolCall): Promise<ToolResult | Questions> {
  try {
    // In the order of the API: what the caller lacks comes before what it sent.
    if (tool.route !== undefined) call.checkAccess(tool.route);
    checkArguments(tool, args);
    return await tool.run(args, call);
  } catch (error) {
    // Only what went wrong here is an error of the protocol: a full store or a loop is for the caller to fix.
    if (!(error instanceof AppError) || error.code === 'internal') throw error;
    const { code, message, errors, retry_after_ms } = error;
    const structuredContent = {
      code,
      detail: message,
      errors,
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    };
    const places = errors.map(({ pointer, message: wrong }) => `\n${pointer}: ${wrong}`).join('');
    return { content: [{ type: 'text', text: `${code}: ${message}${places}` }], structuredContent, isError: true };
  }
}
