import assert from 'node:assert/strict';
import { type Answer, connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import type { Attachment, Envelope } from '../../../../tests/harness/wire.ts';

export const MiB = 1024 * 1024;

export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

export const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

export interface File {
  readonly filename: string;
  readonly type?: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const problemOf = async (response: Response): Promise<Answer<unknown>> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
};

export const file = (text: string, filename = 'a.txt', type = 'text/plain'): File => ({
  filename,
  type,
  bytes: Buffer.from(text),
});

export const firstOf = ({ body }: Answer<Envelope>): Attachment => {
  const [attachment] = body.attachments;
  assert.ok(attachment, JSON.stringify(body));
  return attachment;
};

/** A service of its own, with a mailbox that files are sent to. */
export async function openAttaching() {
  const service = await serveInside({
    env: { LIMIT_STORAGE_UNCLAIMED: String(60 * MiB), LIMIT_STORAGE_NETWORK: String(1024 * MiB), RATE_LIMITS: 'off' },
  });
  const { api, newNamespace, newMailbox, newKey, send, tryOut, read } = connect(service.url);
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'ada' });
  const { key } = home;
  const to = mailbox.address;
  /** Sends a body as it is. */
  async function post(
    body: string | Buffer<ArrayBuffer> | FormData,
    headers: Record<string, string> = {},
    secret = key,
    url = service.url,
  ): Promise<Answer<Envelope>> {
    const response = await fetch(`${url}/api/v1/mail/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, ...headers },
      body,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Envelope };
  }
  /** A form as a browser or curl would send it. */
  function formOf(message: unknown, files: readonly File[], last = false): FormData {
    const form = new FormData();
    const put = (): void => form.append('message', typeof message === 'string' ? message : JSON.stringify(message));
    if (!last && message !== undefined) put();
    for (const { filename, type = '', bytes } of files) form.append('file', new Blob([bytes], { type }), filename);
    if (last) put();
    return form;
  }
  const sendForm = (message: unknown, files: readonly File[], headers: Record<string, string> = {}, secret = key) =>
    post(formOf(message, files), headers, secret);
  const download = (
    id: string,
    headers: Record<string, string> = {},
    method = 'GET',
    secret = key,
  ): Promise<Response> =>
    fetch(`${service.url}/api/v1/mail/attachments/${id}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity', ...headers },
    });
  return {
    service,
    api,
    newNamespace,
    newMailbox,
    newKey,
    send,
    tryOut,
    read,
    home,
    mailbox,
    key,
    to,
    post,
    formOf,
    sendForm,
    download,
  };
}
