const shape = /^[A-Za-z0-9._:-]{1,128}$/;

/** Whether a text may name a request, in logs too: nothing that could be an address or a sentence. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && shape.test(text);
}
