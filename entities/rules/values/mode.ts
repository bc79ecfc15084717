export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** Whose data a query may touch. Every tenant row carries both columns. */
export interface Scope {
  workspaceId: string;
  mode: Mode;
}

export const keyKinds = ['public', 'secret'] as const;
export type KeyKind = (typeof keyKinds)[number];

const keyShape = /^(pk|sk)_(test|live)_[0-9A-Za-z]{32}$/;

/** Reads kind and mode off a key's prefix; undefined for what cannot be one (docs/reference/accounts.md, Modes). */
export function parseKey(key: string): { kind: KeyKind; mode: Mode } | undefined {
  const match = keyShape.exec(key);
  if (!match) return undefined;
  return { kind: match[1] === 'pk' ? 'public' : 'secret', mode: match[2] as Mode };
}

export function keyPrefix(kind: KeyKind, mode: Mode): string {
  return `${kind === 'public' ? 'pk' : 'sk'}_${mode}_`;
}
