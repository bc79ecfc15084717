import { createServer, type IncomingMessage } from 'node:http';

// The receiver of the measurement: answers at once, save below /hang, and remembers when what came,
// by the clock that all processes of the machine share. Below /sale it notes whose sale it was.
let count = 0;
let repeated = 0;
let receivedAt: Record<string, number> = {};

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

function note(request: IncomingMessage, key: string): void {
  count += 1;
  const name = `${key} ${request.url}`;
  if (receivedAt[name] === undefined) receivedAt[name] = now();
  else repeated += 1;
}

createServer((request, response) => {
  if (request.method === 'GET') {
    const times = request.url === '/times' ? receivedAt : {};
    const body = JSON.stringify({ count, repeated, receivedAt: times });
    if (request.url === '/reset') {
      count = 0;
      repeated = 0;
      receivedAt = {};
    }
    response.end(body);
    return;
  }
  const isSale = request.url?.startsWith('/sale') === true;
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => {
    if (isSale) body += text;
  });
  request.once('end', () => {
    note(request, isSale ? saleOf(body) : String(request.headers['webhook-id']));
    if (!request.url?.startsWith('/hang')) response.end('ok');
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');

function saleOf(body: string): string {
  return (JSON.parse(body) as { data: { object: { id: string } } }).data.object.id;
}
