const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const steps = new Map(
  [
    ['[', 1],
    ['{', 1],
    [']', -1],
    ['}', -1],
  ].map(([sign, step]) => [String(sign).charCodeAt(0), Number(step)]),
);

export interface JsonSize {
  /** Each stands between two values. */
  commas: number;
  /** How deep lists and objects lie in each other. */
  depth: number;
}

/** How wide and deep JSON is, counted outside of its texts: this makes no objects, as parsing does. */
export function sizeOf(json: string): JsonSize {
  let [commas, open, depth, isInText] = [0, 0, 0, false];
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === quote) isInText = !isInText;
    else if (code === backslash) index += 1;
    else if (!isInText && code === comma) commas += 1;
    else if (!isInText) depth = Math.max(depth, (open += steps.get(code) ?? 0));
  }
  return { commas, depth };
}
