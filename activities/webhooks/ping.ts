import { newId } from '../../entities/ids';
import { pingEnvelope, publicEventId } from '../../entities/rules/webhooks/envelope';
import type { WebhookEventKind } from '../../entities/rules/webhooks/events';
import type { WebhookObject } from '../../entities/rules/webhooks/objects';
import { exampleObject } from '../../entities/rules/webhooks/examples';
import type { Db } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { signedHeaders } from '../../runtime/crypto/webhook-signature';
import { getEndpoint, type EndpointRow } from './read';
import { validSecrets } from './delivery/send';

export interface PingResult {
  success: boolean;
  httpStatusCode: number | null;
  errorMessage: string | null;
}

export interface PingCommand {
  endpointId: string;
  eventType: WebhookEventKind;
}

/**
 * Sends an example of a kind to an endpoint, once, whatever it subscribes to and whether it is
 * active; changes nothing. Talks to the network: never inside a transaction. WEBHOOK_NOT_FOUND.
 */
export async function pingEndpoint(
  deps: Pick<Deps, 'config' | 'vault' | 'outbound'> & { db: Db },
  { scope, now }: CommandContext,
  { endpointId, eventType }: PingCommand,
): Promise<PingResult> {
  const endpoint = await getEndpoint(deps.db, scope, endpointId);
  const event = {
    id: newId(),
    seq: 0,
    type: eventType,
    mode: endpoint.mode,
    object: eventType === 'webhook.test' ? endpointObject(endpoint) : exampleObject(eventType),
    occurredAt: now,
  };
  const body = JSON.stringify(pingEnvelope(event));
  const secrets = validSecrets(deps, endpoint, now);
  const answer = await deps.outbound.post({
    url: endpoint.url,
    headers: signedHeaders({ messageId: publicEventId(event.id), body, at: now, secrets }),
    body,
    timeoutMs: deps.config.webhooks.pingTimeoutMs,
  });
  return {
    success: answer.ok,
    httpStatusCode: answer.httpStatusCode,
    errorMessage: answer.errorMessage,
  };
}

function endpointObject(endpoint: EndpointRow): WebhookObject {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    active: endpoint.activeSince !== null,
    mode: endpoint.mode,
  };
}
