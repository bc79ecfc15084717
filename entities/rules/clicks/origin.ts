const longestOrigin = 255;

/**
 * The origin of a page's address, as a browser writes it: `https://shop.example`. Undefined for what is
 * no address of a web page.
 */
export function originOf(address: string | null): string | undefined {
  const [start] = /^https?:\/\/[^/?#]+/i.exec(address ?? '') ?? [];
  if (start === undefined || !URL.canParse(start)) return undefined;
  const { origin } = new URL(start);
  return origin.length <= longestOrigin ? origin : undefined;
}
