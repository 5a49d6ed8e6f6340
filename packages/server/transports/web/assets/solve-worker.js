// Searches for the counter that yields the key a challenge asks for (ALTCHA 2, PBKDF2), in steps of `step` from
// `start`.
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

self.onmessage = async ({ data: { parameters, start, step } }) => {
  try {
    const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = parameters;
    const [name, hash] = algorithm.split('/');
    const prefix = bytes(nonce);
    const password = new Uint8Array(prefix.length + 4);
    password.set(prefix);
    const counterAt = new DataView(password.buffer);
    const how = { name, hash, salt: bytes(salt), iterations: cost };
    for (let counter = start; ; counter += step) {
      counterAt.setUint32(prefix.length, counter);
      const key = await crypto.subtle.importKey('raw', password, name, false, ['deriveBits']);
      const derivedKey = hexOf(await crypto.subtle.deriveBits(how, key, keyLength * 8));
      if (derivedKey.startsWith(keyPrefix)) return self.postMessage({ counter, derivedKey });
      if ((counter - start) % (step * 8) === 0) self.postMessage({ tried: 8 });
    }
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
