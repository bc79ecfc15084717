/** What an import is made of, in the order in which it is read and booked. */
export const importKinds = ['partners', 'links', 'customers', 'commissions'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Where an import comes from. */
export const importSources = ['rewardful', 'tolt', 'firstpromoter', 'csv'] as const;
export type ImportSource = (typeof importSources)[number];

export function isImportKind(text: string): text is ImportKind {
  return importKinds.some((kind) => kind === text);
}

/** Columns of each file, by our names. */
export const importColumns = {
  partners: [
    'partner_id',
    'email',
    'name',
    'status',
    'group',
    'payout_type',
    'payout_email',
    'created_at',
  ],
  links: ['partner_id', 'token', 'kind', 'url'],
  customers: ['partner_id', 'customer_id', 'aliases', 'bound_at', 'first_paid_at'],
  commissions: [
    'commission_id',
    'partner_id',
    'customer_id',
    'sale_id',
    'sale_amount',
    'sale_refunded',
    'amount',
    'currency',
    'status',
    'occurred_at',
    'due_at',
    'paid_at',
    'note',
  ],
} as const satisfies Record<ImportKind, readonly string[]>;

/** The columns whose sum may stand in whole minor units as well, in a column `..._cents`. */
const moneyColumns = ['sale_amount', 'sale_refunded', 'amount'];

export const neededColumns: Readonly<Record<ImportKind, readonly string[]>> = {
  partners: ['partner_id', 'email'],
  links: ['partner_id', 'token'],
  customers: ['partner_id', 'customer_id'],
  commissions: ['commission_id', 'partner_id', 'amount', 'currency', 'status', 'occurred_at'],
};

/** Every name that a mapping may give a column of a kind. */
export function columnNames(kind: ImportKind): string[] {
  const names: readonly string[] = importColumns[kind];
  return [
    ...names,
    ...names.filter((name) => moneyColumns.includes(name)).map((name) => `${name}_cents`),
  ];
}

/** The columns of theirs that stand for ours, by kind and by our column. */
export type ImportMapping = Partial<Record<ImportKind, Record<string, string>>>;

/** The place of each of our columns in a row of theirs. */
export type ColumnPlaces = ReadonlyMap<string, number>;

/**
 * Where our columns stand under a header of theirs, compared without case and white space around. A
 * mapping renames: what it names is looked for under that name alone.
 */
export function placesOf(
  kind: ImportKind,
  header: readonly string[],
  mapping: ImportMapping = {},
): ColumnPlaces {
  const names = header.map(comparable);
  const renamed = mapping[kind] ?? {};
  const places = columnNames(kind).flatMap((column): [string, number][] => {
    const place = names.indexOf(comparable(renamed[column] ?? column));
    return place === -1 ? [] : [[column, place]];
  });
  return new Map(places);
}

/** Columns of ours whose name stands in a header more than once: which of them is meant nobody knows. */
export function repeatedColumns(
  kind: ImportKind,
  header: readonly string[],
  mapping: ImportMapping = {},
): string[] {
  const names = header.map(comparable);
  const repeated = [...placesOf(kind, header, mapping)].filter(
    ([, place]) => names.lastIndexOf(names[place] ?? '') !== place,
  );
  return repeated.map(([column]) => column);
}

function comparable(name: string): string {
  return name.trim().toLowerCase();
}

/** Columns that a file cannot do without and does not have. */
export function missingColumns(
  kind: ImportKind,
  places: ColumnPlaces,
  { hasCurrency }: { hasCurrency: boolean },
): string[] {
  const has = (column: string): boolean =>
    places.has(column) || places.has(`${column}_cents`) || (column === 'currency' && hasCurrency);
  return neededColumns[kind].filter((column) => !has(column));
}

/** The name of the system that gave a file its ids: 1 to 40 of a-z 0-9 -. */
export const importNamePattern = /^[a-z0-9-]{1,40}$/;
