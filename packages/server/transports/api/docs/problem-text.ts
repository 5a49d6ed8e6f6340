import type { FieldError } from '@mailroom/behavior/values/error';

/** A code explained for the caller that received it; backticks mark code. */
export interface ProblemText {
  readonly means: string;
  /** What to do, the likeliest fix first. */
  readonly fixes: readonly string[];
  /** The `detail` and `errors` of an example. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}
