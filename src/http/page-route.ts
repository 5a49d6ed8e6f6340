/** What all routes of pages have in common: they are open to strangers, and in no API document. */
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
