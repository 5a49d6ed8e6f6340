import { AppError } from '@mailroom/behavior/values/error';

/** The message of an AppError about the input; rethrows everything else. */
export function messageOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'validation_error') return error.message;
  throw error;
}
