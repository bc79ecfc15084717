import type { Priority, TypedSearchAttributes } from '@temporalio/common';
import { noWorkspace } from '../../activities/journal/outbox';
import type { Work } from '../../activities/journal/outbox-claims';
import { searchAttributes } from '../../runtime/temporal/search-attributes';

/** The workspace and mode that work belongs to, as far as it does. */
export function attributesOf({ workspaceId, payload: { mode } }: Work): TypedSearchAttributes {
  return searchAttributes({
    workspaceId: workspaceId === noWorkspace ? null : workspaceId,
    mode: typeof mode === 'string' ? mode : null,
  });
}

/** `mode` as a summary shows it. */
export function inMode({ payload: { mode } }: Work): string {
  return mode === 'test' || mode === 'live' ? `, ${mode} mode` : '';
}

/** A server that can shares its task queues among the workspaces; any other keeps the key and no more. */
export function fairTo({ workspaceId }: { workspaceId: string }): Priority {
  return { fairnessKey: workspaceId };
}
