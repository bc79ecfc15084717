import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { claimAnyPort } from '../../stack/parts/ports';

export interface MailServerOptions {
  port?: number;
  /** The answer to each recipient, by how many came before and this one; null takes it. */
  onRecipient?: (attempt: number) => Error | null | Promise<Error>;
  /** After the whole message came: its answer. */
  onMessage?: (message: string) => Error | null;
}

export interface TestMailServer {
  url: string;
  port: number;
  attempts(): number;
  connections(): number;
  stop(): Promise<void>;
}

/** A mail server that answers what the test wants, and counts. */
export async function startMailServer({
  port: wantedPort,
  onRecipient = () => null,
  onMessage = () => null,
}: MailServerOptions = {}): Promise<TestMailServer> {
  let attempts = 0;
  let connections = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    // What a client has left open is closed with the server.
    closeTimeout: 100,
    onConnect: (_session, callback) => {
      connections += 1;
      callback();
    },
    onRcptTo: (_address, _session, callback) => {
      void Promise.resolve(onRecipient((attempts += 1))).then(callback);
    },
    onData: (stream, _session, callback) => {
      void text(stream).then((message) => callback(onMessage(message)));
    },
  });
  // None that the kernel gives to connections: a server that is away could not come back to one of theirs.
  const port = wantedPort ?? (await claimAnyPort());
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    attempts: () => attempts,
    connections: () => connections,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** An answer of a mail server, which names the address as they do. */
export function refusal(responseCode: number, enhanced = ''): Error {
  const words = `${enhanced} a refusal that names somebody@example.test`.trim();
  return Object.assign(new Error(words), { responseCode });
}
