import type { TestApp } from '../../app';
import { beginImport, csvOf, cutover } from '../../imports';
import { inProgram, ownProgram, type Prepared, type Setup, text, email } from './worlds';

const partners = (): string => csvOf([{ partner_id: text(), email: email(), name: 'Told' }]);

/** An import of a programme of its own, with a file, that has come so far. */
const imported =
  (stage: 'draft' | 'checked' | 'applied', more: Omit<Prepared, 'by'> = {}): Setup =>
  async (app: TestApp) => {
    const { by, ids } = await ownProgram(app);
    const { programId } = ids;
    const one = await beginImport(app.deps, by, { programId, files: { partners: partners() } });
    if (stage !== 'draft') await one.check();
    if (stage === 'applied') await one.apply();
    const importId = one.path.split('/').at(-1) ?? '';
    return { by, ...more, ids: { programId, importId, ...more.ids } };
  };

const ids = { kind: 'partners' };

/** An import from its draft to its end. */
export const importRequests: Record<string, Setup> = {
  createImport: inProgram({ source: 'csv', cutover }),
  changeImport: imported('draft', { body: { currency: 'eur' } }),
  putImportFile: async (app) =>
    imported('draft', { ids, body: partners(), headers: { 'Content-Type': 'text/csv' } })(app),
  removeImportFile: imported('draft', { ids }),
  checkImport: imported('draft'),
  cancelImport: imported('draft'),
  applyImport: imported('checked', { body: { expected: [] } }),
  announceImport: imported('applied', { body: { message: 'We have moved' } }),
  undoImport: imported('applied'),
};
