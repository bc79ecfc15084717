import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { findRedisServer } from './binaries';
import { launch, type ProcessSpec, type RunningProcess } from './process';

export interface RedisOptions {
  dir: string;
  port: number;
}

export interface RedisSetup {
  url: string;
  spec: ProcessSpec;
}

export function setUpRedis({ dir, port }: RedisOptions): RedisSetup {
  const data = path.join(dir, 'redis');
  mkdirSync(data, { recursive: true });
  // Redis is speed only: what is lost with it is counted again, so it writes nothing to disk.
  const settings = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
  return {
    url: `redis://127.0.0.1:${port}`,
    spec: {
      name: 'redis',
      command: findRedisServer(),
      args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', data, ...settings],
      logFile: path.join(dir, 'redis.log'),
      stopTimeoutMs: 3_000,
      isReady: () => answersPing(port),
    },
  };
}

export async function startRedis(options: RedisOptions): Promise<RunningProcess & { url: string }> {
  const { url, spec } = setUpRedis(options);
  return { ...(await launch(spec)), url };
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')));
  });
}
