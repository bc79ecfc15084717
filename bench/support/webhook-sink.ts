import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';

// The receiver of the measurement: answers at once, save below /hang, and remembers when what came.
let count = 0;
let receivedAt: Record<string, number> = {};

createServer((request, response) => {
  if (request.method === 'GET') {
    const body = JSON.stringify({ count, receivedAt: request.url === '/times' ? receivedAt : {} });
    if (request.url === '/reset') {
      count = 0;
      receivedAt = {};
    }
    response.end(body);
    return;
  }
  request.resume().once('end', () => {
    count += 1;
    const id = request.headers['webhook-id'];
    if (typeof id === 'string') {
      receivedAt[`${id} ${request.url}`] = performance.timeOrigin + performance.now();
    }
    if (!request.url?.startsWith('/hang')) response.end('ok');
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
