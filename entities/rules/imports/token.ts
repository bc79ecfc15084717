const longest = 100;

/** Whether a text can be a token of an old link: 1 to 100 characters, no control characters. */
export function isImportedToken(text: string): boolean {
  if (text.length > 2 * longest) return false;
  const { length } = [...text];
  return length >= 1 && length <= longest && !/\p{Cc}/u.test(text) && !/\p{Cs}/u.test(text);
}
