import { createServer } from 'node:net';

const VARIABLES = ['PORT', 'ADMIN_PORT'];

/** A port that somebody asked for and that is taken ends the start before anything is installed. */
export async function refuseTakenPorts(env = process.env) {
  for (const name of VARIABLES) {
    const port = Number(env[name]);
    // A value that is no port is reported with the other bad values of the environment.
    if (!env[name] || !Number.isInteger(port) || port < 1 || port > 65_535) continue;
    if ((await canListen(port, '127.0.0.1')) && (await canListen(port))) continue;
    throw new Error(`Port ${port} (${name}) is taken: stop what listens there, or choose another.`);
  }
}

function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, ...(host && { host }), exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
