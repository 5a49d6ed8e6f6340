import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Answer, Route } from '../../../http/route.ts';
import { route } from '../../../http/route.ts';
import { hidden } from '../routes.ts';
import { catalogPath, REGISTRY_PATH } from './ai-catalog.ts';
import type { SkillPlace } from './skills.ts';
import { SKILLS, skillMd } from './skills.ts';

interface WellKnownParts {
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  /** An address that takes guests. */
  readonly example: () => Promise<SkillPlace['example']>;
}

const SKILLS_PATH = '/.well-known/skills';
const SHARED = { 'access-control-allow-origin': '*', 'cache-control': 'public, no-cache' };
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const textAnswer = (type: string, body: string, more: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body,
  headers: { ...SHARED, ...more, 'content-type': type },
});

/** What there is for programs, by its reserved paths: the skills (agentskills.io) and the API catalog (RFC 9727). */
export function wellKnownRoutes(parts: WellKnownParts): readonly Route[] {
  const { baseUrl, mailDomain } = parts;
  return [
    route({
      ...hidden('GET', `${SKILLS_PATH}/index.json`),
      handle: () => {
        const skills = SKILLS.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] }));
        return textAnswer('application/json; charset=utf-8', JSON.stringify({ skills }));
      },
    }),
    route({
      ...hidden('GET', `${SKILLS_PATH}/{name}/SKILL.md`),
      params: Type.Object({ name: Type.String() }),
      async handle({ params }) {
        const skill = SKILLS.find(({ name }) => name === params.name);
        if (skill === undefined)
          throw new AppError('not_found', `There is no such skill. ${SKILLS_PATH}/index.json lists them.`);
        const text = skillMd(skill, { baseUrl: baseUrl(), mailDomain, example: await parts.example() });
        return textAnswer('text/markdown; charset=utf-8', text);
      },
    }),
    route({
      ...hidden('GET', '/.well-known/api-catalog'),
      handle: () => {
        const link = `<${baseUrl()}/.well-known/api-catalog>; rel="api-catalog"`;
        return textAnswer(LINKSET, JSON.stringify(apiCatalog(baseUrl())), { link });
      },
    }),
  ];
}

/** The APIs of the service as a linkset (RFC 9264, section 4.2; RFC 9727, appendix A). */
const apiCatalog = (baseUrl: string): object => ({
  linkset: [
    {
      anchor: `${baseUrl}/api/v1`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
      status: [{ href: `${baseUrl}/status.json`, type: 'application/json' }],
    },
    {
      anchor: `${baseUrl}/mcp`,
      'service-desc': [{ href: `${baseUrl}/.well-known/mcp/server-card.json`, type: 'application/json' }],
      'service-doc': [{ href: `${baseUrl}/docs/mcp`, type: 'text/html' }],
    },
    {
      anchor: `${baseUrl}/${REGISTRY_PATH}`,
      'service-desc': [{ href: `${baseUrl}/${catalogPath(undefined)}`, type: 'application/ai-catalog+json' }],
      'service-doc': [{ href: `${baseUrl}/docs/discovery`, type: 'text/html' }],
    },
  ],
});
