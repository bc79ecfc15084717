import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Tenant } from './tenant';

/** Whom an attack is for and what it has in its hands. */
export interface Target {
  api: string;
  databaseUrl: string;
  mallory: Tenant;
  /** Where an event of the processor is taken, and how it is signed. */
  stripe: { path: string; secret: string };
  /** A receiver that never answers. */
  hangingUrl: string;
}

/** How often each status was answered: an attack that is refused at the door proves little. */
export type Answers = Record<string, number>;

export interface Scene extends Target {
  /** Holds what an attack has locked; rolled back after it. */
  holder: Client;
  isOver: () => boolean;
  answers: Answers;
}

export type Attack = (scene: Scene) => Promise<unknown>;

export interface Shot {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export async function fire(
  { api, answers }: Scene,
  { method = 'POST', path, headers, body }: Shot,
): Promise<void> {
  const sent = method === 'GET' ? {} : { body };
  const response = await fetch(api + path, { method, headers, ...sent }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  count(answers, String(response?.status ?? 'none'));
}

export function count(answers: Answers, status: string): void {
  answers[status] = (answers[status] ?? 0) + 1;
}

/** Sends at a rate whether or not answers come; ends with the attack and its last answer. */
export async function repeat(
  { isOver }: Scene,
  perSecond: number,
  send: (turn: number) => Promise<void>,
): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    sent.push(send(turn));
    await pause(1_000 / perSecond);
  }
  await Promise.all(sent);
}
