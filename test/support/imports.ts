import { runImportTurn } from '../../activities/imports/turn';
import type { ImportDto } from '../../api/imports/imports.dto';
import type { ApiResponse, Caller } from './api-client';
import type { TestDeps } from './app';

/** Files of an import by their kind. */
export type Files = Readonly<Record<string, string>>;

export interface ImportApi {
  path: string;
  put(kind: string, csv: string, query?: string): Promise<ApiResponse>;
  read(): Promise<ImportDto>;
  /** Asks for the check, and has it done. */
  check(): Promise<ImportDto>;
  /** The sums of the report, as they are typed back. */
  expected(): Promise<object[]>;
  /** Asks for the booking, and has it done. */
  apply(): Promise<ImportDto>;
}

export const cutover = '2026-06-01T00:00:00.000Z';

/** An import of a programme, with files. */
export async function beginImport(
  deps: TestDeps,
  api: Caller,
  { programId, files = {}, body = {} }: { programId: string; files?: Files; body?: object },
): Promise<ImportApi> {
  const base = `/api/v1/programs/${programId}/imports`;
  const made = await api.post<ImportDto>(base, { source: 'csv', cutover, ...body });
  if (made.status !== 201) throw new Error(made.text);
  const path = `${base}/${made.body.id}`;
  const put: ImportApi['put'] = (kind, csv, query = '') =>
    api.put(`${path}/files/${kind}${query}`, csv, { headers: { 'Content-Type': 'text/csv' } });
  for (const [kind, csv] of Object.entries(files)) {
    const answer = await put(kind, csv);
    if (answer.status !== 204) throw new Error(answer.text);
  }
  const read = async (): Promise<ImportDto> => (await api.get<ImportDto>(path)).body;
  const expected = async (): Promise<object[]> =>
    ((await read()).report?.money ?? []).map(({ currency, openCents, paidCents }) => {
      return { currency, openCents, paidCents };
    });
  return {
    path,
    put,
    read,
    expected,
    async apply() {
      const asked = await api.post(`${path}/apply`, { expected: await expected() });
      if (asked.status !== 202) throw new Error(asked.text);
      await workOn(deps, made.body.id);
      return read();
    },
    async check() {
      const asked = await api.post(`${path}/check`);
      if (asked.status !== 202) throw new Error(asked.text);
      await workOn(deps, made.body.id);
      return read();
    },
  };
}

/** Does the work of an import to its end, as its workflow would. */
export async function workOn(deps: TestDeps, importId: string): Promise<void> {
  for (;;) {
    const { isDone, waitMs } = await runImportTurn(deps, importId);
    if (isDone) return;
    if (waitMs > 0) throw new Error('another import of the workspace is at work');
  }
}

/** A CSV file of objects. */
export function csvOf(rows: readonly Record<string, string | number>[]): string {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const cell = (value: string | number | undefined): string => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return [columns.join(','), ...lines].join('\n');
}
