import { ServerResponse, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../../entities/errors';
import { newId } from '../../../entities/ids';
import { toEnvelope } from '../contract/error-envelope';

type ParserError = Error & { code?: string };
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** What Node refuses before a request exists gets the envelope and headers of every other answer. */
export function answerProtocolErrors(server: Server, app: RequestListener): void {
  server.on('clientError', (error: ParserError, socket: AnsweringSocket) => {
    const isAnswering = socket._httpMessage?.headersSent === true;
    const isLost = error.code === 'ECONNRESET' || !socket.writable || isAnswering;
    if (isLost) socket.destroy();
    else socket.end(toMessage(refusalFor(error.code)));
  });
  // An expectation that we do not know is none of our business.
  server.on('checkExpectation', app);
  server.on('connect', (request, stream) => {
    const socket = stream as Socket;
    // CONNECT may name an authority in the path's place.
    if (!request.url?.startsWith('/')) request.url = '/';
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    app(request, response);
  });
}

/** HTTP/1.1 wants a Host header of every request (RFC 9112, 3.2). */
export function refuseHostless(app: RequestListener): RequestListener {
  return (request, response) => {
    const isHostless = request.httpVersion === '1.1' && request.headers.host === undefined;
    if (isHostless) request.socket.end(toMessage(refusalFor(undefined)));
    else app(request, response);
  };
}

function refusalFor(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HEADERS_TOO_LARGE');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT');
    default:
      return new AppError('VALIDATION_ERROR', {
        details: [{ field: 'request', message: 'is not valid HTTP' }],
      });
  }
}

function toMessage(error: AppError): string {
  const body = JSON.stringify(toEnvelope(error));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    `X-Request-Id: ${newId()}`,
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
