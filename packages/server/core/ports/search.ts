/** The caller of a search, so that its searches hold up only its own; they end when `signal` aborts. */
export interface SearchCaller {
  readonly id: string;
  readonly signal?: AbortSignal;
}

/** Maximum characters of a `query`; a longer one is AppError `validation_error`. */
export const MAX_QUERY = 200;
