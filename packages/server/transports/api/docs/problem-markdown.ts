import { type Code, problems } from '@mailroom/behavior/values/error';
import { exampleProblem } from './problem-example.ts';
import { CODES } from './problem-pages.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { fence } from './quick-start.ts';

/** The page of one code as Markdown with links from the root. */
export function problemText(code: Code): string {
  const { status, title } = problems[code];
  const { means, fixes } = PROBLEM_TEXTS[code];
  return `# ${title}

- Code: \`${code}\`
- HTTP status: ${status}

${means}

## How to fix it

${fixes.map((step) => `- ${step}`).join('\n')}

## What it looks like

${fence(JSON.stringify(exampleProblem(code), null, 2).split('\n'), 'json')}

[All codes](/problems)
`;
}

/** Every code as Markdown: its meaning and what to do about it. */
export const problemListText = (): string => `# Problems

Every way a call can end badly. An answer with a status of 400 or more is a problem document (\`application/problem+json\`, RFC 9457); its \`code\` is one of these and never changes. [The form they come in](/docs/api#errors).

${CODES.map((code) => {
  const { status, title } = problems[code];
  const { means, fixes } = PROBLEM_TEXTS[code];
  return `## ${code}\n\n${status} ${title}. ${means}\n\n${fixes.map((step) => `- ${step}`).join('\n')}`;
}).join('\n\n')}
`;
