export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** The workspace and mode whose data a query may touch. Every tenant row carries both columns. */
export interface Scope {
  workspaceId: string;
  mode: Mode;
}

export const keyKinds = ['public', 'secret', 'management'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** The kinds of key that a new workspace has, of each mode. */
export const firstKeyKinds = ['public', 'secret'] as const;
export type FirstKeyKind = (typeof firstKeyKinds)[number];

const letters = { public: 'pk', secret: 'sk', management: 'mk' } as const;

const keyShape = /^(pk|sk|mk)_(test|live)_[0-9A-Za-z]{32}$/;

/** Reads kind and mode off a key's prefix; undefined for what cannot be one (docs/reference/accounts.md, Modes). */
export function parseKey(key: string): { kind: KeyKind; mode: Mode } | undefined {
  const match = keyShape.exec(key);
  const kind = keyKinds.find((candidate) => letters[candidate] === match?.[1]);
  return kind && { kind, mode: match?.[2] as Mode };
}

export function keyPrefix(kind: KeyKind, mode: Mode): string {
  return `${letters[kind]}_${mode}_`;
}
