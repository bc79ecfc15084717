import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type Priority,
  type SearchAttributePair,
} from '@temporalio/common';
import { noWorkspace } from '../../activities/journal/outbox';
import type { Work } from '../../activities/journal/outbox-claims';

export const searchKeys = {
  workspaceId: defineSearchAttributeKey('WorkspaceId', 'KEYWORD'),
  programId: defineSearchAttributeKey('ProgramId', 'KEYWORD'),
  mode: defineSearchAttributeKey('Mode', 'KEYWORD'),
  stage: defineSearchAttributeKey('Stage', 'KEYWORD'),
};

/** The workspace and mode that work belongs to, as far as it does. */
export function attributesOf({ workspaceId, payload }: Work): TypedSearchAttributes {
  const { mode } = payload;
  const pairs: SearchAttributePair[] = [];
  if (workspaceId !== noWorkspace) pairs.push({ key: searchKeys.workspaceId, value: workspaceId });
  if (typeof mode === 'string') pairs.push({ key: searchKeys.mode, value: mode });
  return new TypedSearchAttributes(pairs);
}

/** `mode` as a summary shows it. */
export function inMode({ payload: { mode } }: Work): string {
  return mode === 'test' || mode === 'live' ? `, ${mode} mode` : '';
}

/** A server that can shares its task queues among the workspaces; any other keeps the key and no more. */
export function fairTo({ workspaceId }: { workspaceId: string }): Priority {
  return { fairnessKey: workspaceId };
}
