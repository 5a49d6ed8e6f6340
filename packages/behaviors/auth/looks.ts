import type { Looks } from '@mailroom/behavior/looks';

export const looks: Looks = {
  title: 'Sign in',
  line: 'Lets people into your app without a password.',
  verb: 'Signs in',
  glyph:
    'M9.700 9.500a3.300 3.300 0 1 1 1.700-6.100 3.300 3.300 0 0 1-1.700 6.100ZM7.300 8.700 2.500 13.500M4 12l1.500 1.500',
  hue: 305,
  cover: 4,
  examples: () => ['How do I sign people in?', 'What can an agent do here?'],
  pages: ['clients'],
  heading: 'Your app comes next',
  nothing:
    'There is nothing to set here. Once the address is made, open its console and add your app under “Your apps”: you get the issuer, client ID and secret that the app’s OpenID Connect library needs.',
  form: {
    '/trusted_issuers': {
      label: 'Identity providers you trust',
      hint: 'They may tell an app of yours which address it acts for, without asking (ID-JAG).',
      row: 'Provider',
      add: 'Add another provider',
    },
    '/trusted_issuers/*/issuer': { label: 'Issuer URL', hint: '' },
    '/trusted_issuers/*/client_id': { label: 'Only for this client ID', hint: 'Any of your apps if left empty.' },
    '/trusted_issuers/*/tenant': { label: 'Tenant', hint: 'Only if its assertions name one.' },
    '/trusted_issuers/*/match': {
      label: 'Who its people are',
      hint: '',
      options: { subject: 'Those listed below', email: 'Also by verified e-mail address' },
    },
    '/trusted_issuers/*/jwks_uri': { label: 'URL of its keys', hint: 'Found by itself if left empty.' },
    '/subjects': {
      label: 'Its people',
      hint: 'Which of your addresses each of them is.',
      row: 'Person',
      add: 'Add another person',
    },
    '/subjects/*/issuer': { label: 'Issuer URL', hint: '' },
    '/subjects/*/subject': { label: 'Subject (sub)', hint: '' },
    '/subjects/*/mailbox': { label: 'Address', hint: 'One of this namespace.' },
  },
  more: ['trusted_issuers', 'subjects'],
};
