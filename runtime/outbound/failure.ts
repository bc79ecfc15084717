const sentences: Record<string, string> = {
  BLOCKED_ADDRESS: 'The URL leads to a private or reserved address.',
  UNRESOLVABLE: 'The host name cannot be resolved.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection was not accepted in time.',
  UND_ERR_HEADERS_OVERFLOW: "The answer's headers are too large.",
  ETIMEDOUT: 'The connection was not accepted in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
};

/** One sentence for a receiver's owner, without our addresses, stack or wording of libraries. */
export function failureMessage(error: unknown): string {
  const code = codeOf(error);
  const sentence = sentences[code];
  if (sentence !== undefined) return sentence;
  if (code.startsWith('HPE_')) return 'The answer is not valid HTTP.';
  if (/CERT|TLS|SSL|SIGNED|VERIFY|ISSUER/.test(code)) {
    return `The TLS certificate or handshake was not accepted (${code}).`;
  }
  return code === '' ? 'The request failed.' : `The request failed (${code}).`;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
