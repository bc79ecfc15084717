/** The text of a table's file; undefined where it is none. Windows saves tables as UTF-16 as well. */
export async function textOf(file: File): Promise<string | undefined> {
  const bytes = await file.arrayBuffer();
  const mark = new Uint8Array(bytes.slice(0, 2)).join(' ');
  const encodings: Partial<Record<string, string>> = {
    '255 254': 'utf-16le',
    '254 255': 'utf-16be',
  };
  try {
    return new TextDecoder(encodings[mark], { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
