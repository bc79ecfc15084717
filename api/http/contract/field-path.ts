/** The path of a field for a refusal: `rules[1].match.minAmountCents`. */
export function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property) && parent !== '') return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}
