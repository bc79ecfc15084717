import { receiveEvent } from '../../activities/billing/events/receive';
import {
  billerNames,
  furtherBillers,
  type FurtherBiller,
} from '../../entities/rules/billing/biller';
import { processorActor } from '../../entities/rules/values/actor';
import { EmptyDto } from '../auth/auth.dto';
import { maxProcessorBytes } from '../http/contract/body/body';
import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';

const route = routesOf('Inbound');

const signatures: Readonly<Record<FurtherBiller, string>> = {
  paddle: 'in Paddle-Signature, any of whose h1 may fit',
  polar: 'as Standard Webhooks describe, any of whose v1 may fit',
};

/** Where billers send their events: stored before they are acknowledged (docs/reference/payments.md, Intake). */
export const billerEventRoutes: Route[] = furtherBillers.map((biller) =>
  route.post(
    `/webhooks/${biller}/:connectionId`,
    {
      name: `receive${billerNames[biller]}Event`,
      summary: `Receive an event from ${billerNames[biller]}`,
      description: `Signed ${signatures[biller]}, over the raw bytes with the connection's webhook secret as it stands, at most 300 seconds off either way; up to 1 MiB. 200 means stored: processing follows. An event that came before, or of an unknown type, is 200 too.`,
      auth: open(null),
      params: { connectionId: 'NOT_FOUND' },
      raw: maxProcessorBytes,
      rawJson: true,
      idempotency: 'none',
      responses: { 200: { type: EmptyDto } },
      errors: ['NOT_FOUND', 'INVALID_SIGNATURE', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'],
    },
    async (ctx) => {
      const delivery = {
        biller,
        connectionId: ctx.input.params.connectionId,
        body: ctx.rawBody,
        header: (name: string) => ctx.get(name),
      };
      const cause = { actor: processorActor, requestId: ctx.requestId, now: ctx.now };
      await receiveEvent({ db: ctx.db, vault: ctx.deps.vault }, cause, delivery);
      ctx.body = {};
    },
  ),
);
