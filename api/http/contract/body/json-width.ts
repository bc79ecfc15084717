const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const comma = ','.charCodeAt(0);

/**
 * Whether JSON certainly has more values than this: each comma outside of its texts stands between
 * two. Counting them makes no objects, as parsing does.
 */
export function isWiderThan(json: string, mostValues: number): boolean {
  let commas = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === quote) isInText = !isInText;
    else if (code === backslash) index += 1;
    else if (code === comma && !isInText) commas += 1;
  }
  return commas > mostValues;
}
