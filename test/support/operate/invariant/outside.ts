import { claimAnyPort } from '../../../../stack/parts/ports';
import { startMailCatcher, type MailCatcher } from '../../../../stack/mail/catcher';
import type { CaughtMail } from '../../../../stack/mail/store';
import { startSink, type Received, type Sink } from '../../sink';
import { startStripeStandIn, type StripeStandIn } from '../../stripe/stand-in';

/** What the service talks to, all of it broken at first. */
export interface Outside {
  sink: Sink;
  stripe: StripeStandIn;
  smtpUrl: string;
  /** Has webhooks and mails taken, and Stripe answer, from now on. */
  heal(): Promise<void>;
  /** The ids of the messages whose requests the receiver took. */
  webhooks(): string[];
  /** The Message-IDs of the mails that were taken. */
  mails(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const [smtpPort, httpPort] = [await claimAnyPort(), await claimAnyPort()];
  const stripe = await startStripeStandIn();
  stripe.broken = true;
  const sink = await startSink();
  sink.answer((_request, response) => response.writeHead(500).end());
  const taken: Received[] = [];
  let catcher: MailCatcher | undefined;
  return {
    sink,
    stripe,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    async heal() {
      stripe.broken = false;
      sink.answer((request, response) => {
        taken.push(request);
        response.end();
      });
      catcher = await startMailCatcher({ smtpPort, httpPort });
    },
    webhooks: () => taken.map(({ headers }) => headers['webhook-id'] ?? ''),
    async mails() {
      const answer = await fetch(`${catcher?.url}/api/messages`);
      const caught = (await answer.json()) as CaughtMail[];
      return caught.map(({ headers }) => messageIdOf(headers));
    },
    async close() {
      await catcher?.stop();
      await sink.close();
      await stripe.close();
    },
  };
}

function messageIdOf(headers: CaughtMail['headers']): string {
  return headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? '';
}
