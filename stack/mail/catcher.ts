import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { answerMailRequest } from './pages';
import { MailStore } from './store';

export interface MailCatcherOptions {
  smtpPort: number;
  httpPort: number;
  /** Mails are appended here, so that they are still there after a restart. */
  file?: string;
}

export interface MailCatcher {
  smtpUrl: string;
  url: string;
  stop: () => Promise<void>;
}

/** Takes every mail and delivers none: they are read on a web page and over a small JSON API. */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const store = new MailStore(options.file);
  await store.load();
  const smtp = createSmtpServer(store);
  const http = createServer((request, response) => answerMailRequest(store, request, response));
  await Promise.all([
    listening(http, options.httpPort),
    new Promise<void>((resolve, reject) => {
      smtp.once('error', reject);
      smtp.listen(options.smtpPort, '127.0.0.1', resolve);
    }),
  ]);
  return {
    smtpUrl: `smtp://127.0.0.1:${options.smtpPort}`,
    url: `http://127.0.0.1:${options.httpPort}`,
    stop: () => stopServers(smtp, http),
  };
}

function createSmtpServer(store: MailStore): SMTPServer {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
        store.add(Buffer.concat(chunks), recipients).then(() => callback(), callback);
      });
    },
  });
  // A client that breaks off in the middle is no reason to stop catching.
  server.on('error', () => undefined);
  return server;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function stopServers(smtp: SMTPServer, http: Server): Promise<void> {
  http.closeAllConnections();
  await Promise.all([
    new Promise<void>((resolve) => smtp.close(() => resolve())),
    new Promise<void>((resolve) => http.close(() => resolve())),
  ]);
}
