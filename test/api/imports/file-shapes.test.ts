import type { ImportDto } from '../../../api/imports/imports.dto';
import { signIn } from '../../support/build/accounts';
import { useImportShop } from '../../support/import-shop';

const own = useImportShop();

const plain =
  'partner_id,email,name\np1,ann@example.com,"Ånn, the first"\np2,bob@example.com,Bob\n';
const utf16 = (text: string): Buffer<ArrayBuffer> => Buffer.from(`\ufeff${text}`, 'utf16le');

const put = async (given: Buffer<ArrayBuffer> | string) => {
  const one = await own.begin({});
  const { accessToken } = await signIn(own.app.deps, own.owner);
  const answer = await fetch(`${own.app.client.url}${one.path}/files/partners`, {
    method: 'PUT',
    headers: {
      ...{ 'Content-Type': 'text/csv', 'X-Mode': 'live' },
      Authorization: `Bearer ${accessToken}`,
    },
    body: given,
  });
  return { one, status: answer.status, text: await answer.text() };
};

it.each<[string, Buffer<ArrayBuffer> | string]>([
  ['as it is', plain],
  ['with a mark', `\ufeff${plain}`],
  ['in UTF-16, low bytes first', utf16(plain)],
  ['in UTF-16, high bytes first', Buffer.from(utf16(plain)).swap16()],
  ['between semicolons', plain.replaceAll(',', ';').replace('Ånn;', 'Ånn,')],
  ['between tabs', plain.replaceAll(',', '\t').replace('Ånn\t', 'Ånn,')],
  ['with lines of an old Mac', plain.replaceAll('\n', '\r')],
  ['with lines of Windows, the last one open', plain.trimEnd().replaceAll('\n', '\r\n')],
])('reads the same rows of a file %s (imports.md, Files)', async (_, bytes) => {
  const { one, status } = await put(bytes);
  expect(status).toBe(204);
  const shown = await own.api.get<{ files: { columns: object[] }[] }>(`${one.path}/files`);
  expect(shown.body.files[0]?.columns).toEqual([
    { name: 'partner_id', sample: ['p1', 'p2'] },
    { name: 'email', sample: ['ann@example.com', 'bob@example.com'] },
    { name: 'name', sample: ['Ånn, the first', 'Bob'] },
  ]);
  expect((await one.check()).report?.kinds[0]).toMatchObject({ read: 2, new: 2 });
});

it.each([
  ['a quote that never closes', `${plain}p3,"eve@example.com,Eve\n`],
  ['a cell of more than 10,000 characters', `${plain}p3,${'x'.repeat(10_001)},Eve\n`],
  ['another encoding', Buffer.from('partner_id,email\np1,\xe5nn@example.com\n', 'latin1')],
  ['nothing in it', ''],
])('refuses a file with %s, and keeps nothing of it', async (_, bytes) => {
  const { one, status, text } = await put(bytes);
  expect([status, JSON.parse(text)]).toMatchObject([400, { details: [{ field: 'body' }] }]);
  expect((await own.api.get<{ files: object[] }>(`${one.path}/files`)).body.files).toEqual([]);
});

it('an import does not choose between two columns of one name', async () => {
  const { one } = await put(
    'partner_id,email, Email ,note,note\np1,ann@example.com,bob@example.com,,\n',
  );
  expect(await one.check()).toMatchObject({
    status: 'failed',
    error: {
      code: 'IMPORT_COLUMNS',
      message: 'partners, part 1: there is more than one column email.',
    },
  });
  const mapping = { partners: { email: 'contact' } };
  await one.put('partners', 'partner_id,contact,email,email\np1,ann@example.com,,\n');
  await own.api.patch<ImportDto>(one.path, { mapping });
  expect((await one.check()).status).toBe('checked');
});
