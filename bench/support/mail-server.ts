import { SMTPServer } from 'smtp-server';
import { claimAnyPort } from '../../stack/parts/ports';

/** When what was waited for came, by its name. */
export interface Arrivals {
  at: Map<string, number>;
  close(): Promise<void>;
}

/** Notes to whom a mail came, and drops it. */
export async function openMailServer(): Promise<{ mails: Arrivals; smtpUrl: string }> {
  const at = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume().once('end', () => {
        for (const { address } of session.envelope.rcptTo) at.set(address, performance.now());
        done();
      });
    },
  });
  const port = await claimAnyPort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { mails: { at, close }, smtpUrl: `smtp://127.0.0.1:${port}` };
}
