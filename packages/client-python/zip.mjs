import { crc32, deflateRawSync } from 'node:zlib';

/** 1980-01-01, so that the same files give the same bytes. */
const date = 0x21;

/** A ZIP archive of files, `[name, bytes]` each. */
export function zipOf(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const about = fieldsOf([
      ...[
        [2, 20],
        [2, 0x800],
        [2, 8],
        [2, 0],
        [2, date],
      ],
      ...[
        [4, crc32(bytes)],
        [4, packed.length],
        [4, bytes.length],
      ],
      ...[
        [2, Buffer.byteLength(name)],
        [2, 0],
      ],
    ]);
    const local = Buffer.concat([fieldsOf([[4, 0x04034b50]]), about, Buffer.from(name), packed]);
    const more = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0o100644 * 2 ** 16],
      [4, offset],
    ];
    const made = fieldsOf([
      [4, 0x02014b50],
      [2, 0x314],
    ]);
    directory.push(Buffer.concat([made, about, fieldsOf(more), Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = files.length;
  const end = [
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
  ];
  return Buffer.concat([
    ...parts,
    central,
    fieldsOf([...end, [4, central.length], [4, offset], [2, 0]]),
  ]);
}

/** Numbers of so many bytes each, little-endian. */
function fieldsOf(fields) {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}
