/** What all page routes share: they are public and not in the OpenAPI document. */
export const pageRoute = (method: 'GET' | 'POST', path: string) =>
  ({
    method,
    path,
    id: `${method} ${path}`,
    tag: 'Pages',
    summary: path,
    access: 'public',
    answers: {},
    problems: [],
  }) as const;
