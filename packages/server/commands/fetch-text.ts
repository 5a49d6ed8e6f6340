const FETCH_MS = 15_000;

/** The text at an https URL. Rejects for any other status than 200, and for redirects (RFC 8461, section 3.3). */
export async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return response.text();
}
