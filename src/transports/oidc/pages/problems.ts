import { AppError } from '../../../core/values/error.ts';

/** What to say of a fault of what was typed or sent. Rethrows everything else. */
export function messageOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'validation_error') return error.message;
  throw error;
}
