import { type Code, problems } from '@mailroom/behavior/values/error';
import { type Html, html, prose } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { nounPath } from './basics.ts';
import { makeCodeBlocks } from './code.ts';
import { type ApiDocument, codesOf, codesOfAll, endpointsOf } from './document.ts';
import { docsPage } from './page.ts';
import { exampleProblem } from './problem-example.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

export const CODES = Object.keys(problems) as readonly Code[];
export const isCode = (text: string): text is Code => Object.hasOwn(problems, text);

/** A code's explanation for programs. */
export const problemAsJson = (code: Code) => ({
  code,
  status: problems[code].status,
  title: problems[code].title,
  type: `urn:mailroom:problem:${code}`,
  means: PROBLEM_TEXTS[code].means,
  mend: PROBLEM_TEXTS[code].fixes,
  docs: `/problems/${code}`,
  example: exampleProblem(code),
});

const CLASSES: readonly (readonly [string, (status: number) => boolean])[] = [
  ['Change the request', (status) => status < 500 && status !== 429 && status !== 408],
  ['Wait, then send it again', (status) => status === 429 || status === 408 || status === 503],
  ['Not in this request', (status) => status === 500 || status === 508],
];

/** The operations that may answer with a code. */
function origins(code: Code, document: ApiDocument): Html {
  if (codesOfAll(document).has(code)) return html`<p>Any endpoint may answer with it.</p>`;
  const those = endpointsOf(document).filter((endpoint) => codesOf(endpoint).some((found) => found.code === code));
  return html`<ul class="origins">${those.map(({ operationId, summary, method, path, tags }) => html`<li><a href="..${nounPath(tags[0] ?? '')}#${operationId}">${summary}</a> <code>${method} ${path}</code></li>`)}</ul>`;
}

const tag = (status: number): Html =>
  html`<span class="tag${status >= 500 ? ' failed' : status === 429 && ' asks'}">${status}</span>`;

/** The page of one code. */
export function problemPage(code: Code, document: ApiDocument, frame: Frame): string {
  const { status, title } = problems[code];
  const { means, fixes } = PROBLEM_TEXTS[code];
  return docsPage(
    {
      title: `${title} (${code})`,
      description: means.replaceAll('`', ''),
      root: '../',
      label: 'All problems',
      contents: html`${CLASSES.map(
        ([name, has]) => html`<p class="small-title">${name}</p>
<ul>${CODES.filter((other) => has(problems[other].status)).map((other) => html`<li><a href="${other}"${other === code && html` aria-current="page"`}>${other}</a></li>`)}</ul>
`,
      )}`,
      crumbs: [
        ['docs', 'Docs'],
        ['problems', 'Problems'],
      ],
      markdown: `problems/${code}.md`,
      main: html`<div class="problem">
<div class="head">
<h1>${title}</h1>
<p class="call">${tag(status)} <code>${code}</code></p>
<p class="lead">${prose(means)}</p>
</div>
<h2>How to fix it</h2>
<ul class="fixes">${fixes.map((step) => html`<li>${prose(step)}</li>`)}</ul>
<h2>What it looks like</h2>
${makeCodeBlocks(frame).json(exampleProblem(code))}
<h2>Where it comes from</h2>
${origins(code, document)}</div>`,
    },
    frame,
  );
}

/** The page of all codes, grouped by what to do about them. */
export const problemList = (frame: Frame): string =>
  docsPage(
    {
      title: 'Problems',
      description: 'Every error code of the Mailroom API: what it means and how to fix it.',
      root: '',
      crumbs: [['docs', 'Docs']],
      markdown: 'problems.md',
      main: html`<div class="head">
<h1>Problems</h1>
<p class="lead">Every problem a call can be answered with. Each has a code that never changes and a page that says how to fix it. Their <a href="docs/api#errors">format</a> is always the same.</p>
</div>
${CLASSES.map(
  ([title, has]) => html`<section><h2>${title}</h2>
<ul class="list">${CODES.filter((code) => has(problems[code].status)).map(
    (code) =>
      html`<li><a href="problems/${code}">${tag(problems[code].status)}<span class="what"><strong>${problems[code].title}</strong> <code>${code}</code></span></a></li>`,
  )}</ul></section>`,
)}`,
    },
    frame,
  );
