import { AppError, problems } from '../../core/values/error.ts';
import type { ToolResult } from './tool.ts';

/** The result of a tool; what the service refuses is a result too, so that a model can correct its call. */
export async function resultOf(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || problems[error.code].status >= 500) throw error;
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
