import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type SearchAttributePair,
} from '@temporalio/common';

/** What operators find workflows by, set at their start and never changed. */
export const searchKeys = {
  workspaceId: defineSearchAttributeKey('WorkspaceId', 'KEYWORD'),
  programId: defineSearchAttributeKey('ProgramId', 'KEYWORD'),
  mode: defineSearchAttributeKey('Mode', 'KEYWORD'),
};

export interface Searchable {
  workspaceId?: string | null | undefined;
  programId?: string | null | undefined;
  mode?: string | null | undefined;
}

/** The attributes of a run: whatever it belongs to. A partner's account belongs to no workspace and no mode. */
export function searchAttributes(of: Searchable): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [];
  for (const name of ['workspaceId', 'programId', 'mode'] as const) {
    const value = of[name];
    if (typeof value === 'string') pairs.push({ key: searchKeys[name], value });
  }
  return new TypedSearchAttributes(pairs);
}
