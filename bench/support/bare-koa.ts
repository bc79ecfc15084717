import { createServer } from 'node:http';
import inflate from 'inflation';
import Koa from 'koa';
import rawBody from 'raw-body';
import { newId } from '../../entities/ids';

// The limit to compare with: the same parsing and the same answer, and nothing in between.
const koa = new Koa();
koa.silent = true;
koa.use(async (ctx) => {
  const text = await rawBody(inflate(ctx.req), {
    limit: 262_144,
    length: ctx.req.headers['content-length'] ?? null,
    encoding: 'utf8',
  });
  ctx.status = typeof JSON.parse(text) === 'object' ? 201 : 400;
  ctx.body = {
    click_id: newId(),
    visitor_token: `${newId()}.0123456789012345678901234567890123456789012`,
    recorded: true,
    expires_at: new Date().toISOString(),
  };
});

createServer(koa.callback()).listen(Number(process.env['PORT']), '127.0.0.1');
