import { createHash } from 'node:crypto';
import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { catalogPath, REGISTRY_PATH } from './ai-catalog.ts';
import { SKILLS, type SkillPlace, skillMd } from './skills.ts';

interface WellKnownParts {
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  /** An address that takes guests. */
  readonly example: () => Promise<SkillPlace['example']>;
}

/** Agent Skills Discovery 0.1.0, and 0.2.0 (agentskills.io). */
const SKILLS_PATH = '/.well-known/skills';
const AGENT_SKILLS_PATH = '/.well-known/agent-skills';
const INDEX_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const SHARED = { 'access-control-allow-origin': '*', 'cache-control': 'public, no-cache' };
const JSON_TYPE = 'application/json; charset=utf-8';
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const textAnswer = (type: string, body: string, more: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body,
  headers: { ...SHARED, ...more, 'content-type': type },
});

/** What there is for programs, by its reserved paths: the skills (agentskills.io) and the API catalog (RFC 9727). */
export function wellKnownRoutes(parts: WellKnownParts): readonly Route[] {
  const { baseUrl, mailDomain, example } = parts;
  const place = async (): Promise<SkillPlace> => ({ baseUrl: baseUrl(), mailDomain, example: await example() });
  return [
    pageRoute('GET', `${SKILLS_PATH}/index.json`, {
      handle: () => {
        const skills = SKILLS.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] }));
        return textAnswer(JSON_TYPE, JSON.stringify({ skills }));
      },
    }),
    pageRoute('GET', `${AGENT_SKILLS_PATH}/index.json`, {
      async handle() {
        const now = await place();
        const skills = SKILLS.map((skill) => ({
          ...{ name: skill.name, type: 'skill-md', description: skill.description },
          url: `${AGENT_SKILLS_PATH}/${skill.name}/SKILL.md`,
          digest: `sha256:${createHash('sha256').update(skillMd(skill, now)).digest('hex')}`,
        }));
        return textAnswer(JSON_TYPE, JSON.stringify({ $schema: INDEX_SCHEMA, skills }));
      },
    }),
    ...[SKILLS_PATH, AGENT_SKILLS_PATH].map((path) =>
      pageRoute('GET', `${path}/{name}/SKILL.md`, {
        params: Type.Object({ name: Type.String() }),
        async handle({ params }) {
          const skill = SKILLS.find(({ name }) => name === params.name);
          if (skill === undefined)
            throw new AppError('not_found', `There is no such skill. ${path}/index.json lists them.`);
          return textAnswer('text/markdown; charset=utf-8', skillMd(skill, await place()));
        },
      }),
    ),
    pageRoute('GET', '/.well-known/api-catalog', {
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
