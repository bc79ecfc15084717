/** Length of an id in a token: 128 bits, base64url. */
export const packedIdLength = 22;

/** A UUID as it stands in a token. */
export function packId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The UUID that begins a token, which proves nothing yet; undefined for what cannot be one. */
export function unpackId(token: string): string | undefined {
  const hex = Buffer.from(token.slice(0, packedIdLength), 'base64url').toString('hex');
  if (hex.length !== 32) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
