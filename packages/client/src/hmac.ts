/** HMAC-SHA256 in base64. */
export type Hmac = string;
type Key = Uint8Array<ArrayBuffer>;

interface NodeHmac {
  update(data: string | Uint8Array): NodeHmac;
  digest(form: 'base64'): string;
}
interface NodeCrypto {
  createHmac(name: string, key: Uint8Array): NodeHmac;
}

/** By Node's own module, which answers at once. */
export function hmacNow(key: Key, signed: string, body: string | Uint8Array): Hmac {
  return nodeCrypto().createHmac('sha256', key).update(signed).update(body).digest('base64');
}

/** By WebCrypto, which is everywhere. */
export async function hmacSoon(key: Key, signed: string, body: string | Uint8Array): Promise<Hmac> {
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', key, algorithm, false, ['sign']);
  const bytes = await new Blob([signed, body as Uint8Array<ArrayBuffer>]).arrayBuffer();
  const mac = new Uint8Array(await subtle.sign('HMAC', imported, bytes));
  return btoa(String.fromCharCode(...mac));
}

/** Takes as long whatever is in them. */
export function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/** No import, so that a bundle for browsers, which verify nothing, needs nothing of Node. */
function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const found = process?.getBuiltinModule?.('node:crypto');
  if (!found)
    throw new Error('Here is no node:crypto of Node 20.16 or newer: await verifyWebhookAsync().');
  return found as NodeCrypto;
}
