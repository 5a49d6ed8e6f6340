import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isLocalPart,
  isNamespaceName,
  outsideAddress,
  parseAddress,
  RESERVED_LOCAL_PARTS,
  RESERVED_NAMESPACES,
  shortAddress,
  taggedAddress,
} from '@mailroom/behavior/values/address';
import fc from 'fast-check';
import { amount } from '../../../../tests/soak/length.ts';
import { localPart } from '../../core/entities/mailbox.ts';
import { namespaceName } from '../../core/entities/namespace.ts';

const DOMAIN = 'mailroom.localhost';
const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';
const isAlphanumeric = (character: string | undefined): boolean => ALPHANUMERIC.includes(character ?? ' ');

/** Section 2 of the contract, written independently. */
const isLocal = (text: string): boolean =>
  text.length >= 1 &&
  text.length <= 64 &&
  text.split('').every((character) => isAlphanumeric(character) || '._-'.includes(character)) &&
  isAlphanumeric(text[0]) &&
  isAlphanumeric(text.at(-1)) &&
  !text.includes('..');
const isNamespace = (text: string): boolean =>
  text.length >= 2 &&
  text.length <= 63 &&
  text.split('').every((character) => isAlphanumeric(character) || character === '-') &&
  text[0] !== '-' &&
  text.at(-1) !== '-' &&
  text.slice(2, 4) !== '--';

const near = (more: string, max: number) =>
  fc.string({ unit: fc.constantFrom(...`ab09${more}`.split('')), minLength: 0, maxLength: max });
const locals = near('._-', 67).filter(isLocal);
const namespaces = near('-', 66).filter(isNamespace);
const tags = fc.string({ unit: fc.constantFrom(...`${ALPHANUMERIC}._=+-`.split('')), minLength: 1, maxLength: 64 });

test('a local part is what the contract says and nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(near('._-', 67), near('._- +@A\n/', 12), fc.string()), (text) => {
      assert.equal(isLocalPart(text), isLocal(text), JSON.stringify(text));
    }),
    { numRuns: amount(100, 5_000) },
  );
  for (const text of ['a', '0', 'a.b', 'a-_.b', 'a.-b', 'a__b', 'a'.repeat(64)]) assert.ok(isLocalPart(text), text);
  for (const text of ['', '.', '-a', 'a-', 'a.', '_a', 'a..b', 'a'.repeat(65), 'ä', 'a b', 'a\n', 'A', 'a+b']) {
    assert.ok(!isLocalPart(text), JSON.stringify(text));
  }
});

test('a namespace is what the contract says and nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(near('-', 66), near('- ._A\n/', 8), fc.string()), (text) => {
      assert.equal(isNamespaceName(text), isNamespace(text), JSON.stringify(text));
    }),
    { numRuns: amount(100, 5_000) },
  );
  for (const text of ['ab', 'a1', '42', 'a-b', 'a--b', 'abc--d', 'a'.repeat(63)])
    assert.ok(isNamespaceName(text), text);
  for (const text of ['', 'a', '-a', 'a-', 'ab--c', 'xn--abc', 'a.b', 'a_b', 'a'.repeat(64), 'AB', 'ab\n']) {
    assert.ok(!isNamespaceName(text), JSON.stringify(text));
  }
});

test('an address is read in any case and kept in lower case, its tag beside it', () => {
  fc.assert(
    fc.property(locals, namespaces, fc.option(tags), fc.boolean(), (local, namespace, tag, upper) => {
      const short = tag === null ? shortAddress(local, namespace) : `${local}+${tag}@${namespace}`;
      const text = `${short}.${DOMAIN}`;
      const address = parseAddress(upper ? text.toUpperCase() : text, DOMAIN);
      assert.deepEqual(address, { local, namespace, tag });
      assert.equal(taggedAddress(address), short);
    }),
    { numRuns: amount(60, 2_000) },
  );
});

test('no text makes the reader of addresses break, and what it reads it would read again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), near('@.+-', 30), fc.string({ unit: 'binary' })), (text) => {
      let address: ReturnType<typeof parseAddress>;
      try {
        address = parseAddress(`${text}.${DOMAIN}`, DOMAIN);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'mailbox_not_found');
        return;
      }
      if (address === undefined) return;
      assert.ok(isLocal(address.local) && isNamespace(address.namespace));
      assert.deepEqual(parseAddress(`${taggedAddress(address)}.${DOMAIN}`, DOMAIN), address);
    }),
    { numRuns: amount(100, 5_000) },
  );
});

test('what is no address at all is none', () => {
  const texts = [
    '',
    '@',
    'hello',
    `@agents.${DOMAIN}`,
    `hello@.${DOMAIN}`,
    `hello@a.${DOMAIN}`,
    `hello@two.labels.${DOMAIN}`,
    `hello@xn--a.${DOMAIN}`,
    `hello+@agents.${DOMAIN}`,
    `+tag@agents.${DOMAIN}`,
    `hello+a b@agents.${DOMAIN}`,
    `hello+${'t'.repeat(65)}@agents.${DOMAIN}`,
    `hello@agents@agents.${DOMAIN}`,
    `a..b@agents.${DOMAIN}`,
    ` hello@agents.${DOMAIN}`,
    `hello@agents.${DOMAIN} `,
    `hello@agents.${DOMAIN}.`,
    `hello@agents.${DOMAIN}\n`,
    `Hello <hello@agents.${DOMAIN}>`,
    `hello@agents`,
    `hello@${'a'.repeat(500)}.${DOMAIN}`,
  ];
  for (const text of texts) assert.equal(parseAddress(text, DOMAIN), undefined, JSON.stringify(text));
});

test('an address of another domain is not found here', () => {
  for (const text of [
    'hello@example.com',
    `hello@${DOMAIN}`,
    `hello@agents.${DOMAIN}.example.com`,
    `hello@a${DOMAIN}`,
  ]) {
    assert.throws(() => parseAddress(text, DOMAIN), { code: 'mailbox_not_found' }, text);
  }
});

test('a character whose lower case is a letter of ASCII, and which is none itself, is in no address', () => {
  const kelvin = '\u212a';
  assert.equal(parseAddress(`${kelvin}im@agents.${DOMAIN}`, DOMAIN), undefined);
  assert.equal(parseAddress(`kim@${kelvin}ent.${DOMAIN}`, DOMAIN), undefined);
  assert.throws(() => localPart(`${kelvin}im`), { code: 'validation_error' });
  assert.throws(() => namespaceName(`${kelvin}ent`), { code: 'validation_error' });
});

test('reserved names are refused where one is made, in any case', () => {
  for (const name of RESERVED_LOCAL_PARTS) {
    assert.throws(() => localPart(name.toUpperCase()), { code: 'validation_error' });
  }
  for (const name of RESERVED_NAMESPACES) {
    assert.ok(isNamespaceName(name), name);
    assert.throws(() => namespaceName(name.toUpperCase()), { code: 'validation_error' });
  }
  assert.deepEqual([...RESERVED_LOCAL_PARTS].sort(), ['abuse', 'mailer-daemon', 'noreply', 'postmaster']);
  const contract = `www api admin mail smtp imap pop mx ns root support security status docs static assets auth oidc oauth
    mcp a2a new console login logout account settings events export problems livez readyz metrics robots sitemap llms
    well-known public try share help about terms privacy ard search python skills`;
  // `report` is the page to report abuse, which was added after the contract's list.
  assert.deepEqual([...RESERVED_NAMESPACES].sort(), [...contract.split(/\s+/), 'report'].sort());
  assert.equal(localPart('Hello.World'), 'hello.world');
  assert.equal(namespaceName('ADA-1'), 'ada-1');
});

test('an address outside may have a local part in any script, and is compared in one form', () => {
  for (const [text, known] of [
    ['Grüße@Bücher.example', 'grüße@xn--bcher-kva.example'],
    ['gru\u0308ße@bücher.example', 'grüße@xn--bcher-kva.example'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ["O'Neil+tea@Example.COM", "o'neil+tea@example.com"],
    ['иван.петров@пример.example', 'иван.петров@xn--e1afmkfd.example'],
  ] as const) {
    const { local, namespace } = outsideAddress(text) ?? assert.fail(text);
    assert.equal(`${local}@${namespace}`, known);
  }
  for (const text of [
    '\u202eevil@example.com',
    'a\u200bb@example.com',
    '\u212aim@example.com',
    'grüße @example.com',
    '"grüße"@example.com',
    `${'ü'.repeat(33)}@example.com`,
    'ü..ü@example.com',
    '🎉@example.com',
  ])
    assert.equal(outsideAddress(text), undefined, JSON.stringify(text));
});
