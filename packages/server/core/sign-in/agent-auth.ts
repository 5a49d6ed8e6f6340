/** The `typ` of an Identity Assertion JWT Authorization Grant (draft-ietf-oauth-identity-assertion-authz-grant-04, section 3.1). */
export const ID_JAG_TYPE = 'oauth-id-jag+jwt';
/** How metadata names that profile (the same, section 7.2). */
const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/**
 * What an issuer's metadata says to agents: the profiles of assertions it takes, and `agent_auth` as of auth.md
 * (github.com/workos/auth.md). Which identity providers are trusted is never published (the same draft, section 8.4).
 */
export const agentAuth = (baseUrl: string) => ({
  authorization_grant_profiles_supported: [ID_JAG_PROFILE],
  agent_auth: {
    skill: `${baseUrl}/auth.md`,
    identity_types_supported: ['identity_assertion'],
    identity_assertion: { assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'] },
  },
});
