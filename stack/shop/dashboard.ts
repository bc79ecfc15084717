import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Login } from '../demo/state';
import { dashboardPage } from './dashboard-page';
import { createSession } from './session';

export interface DashboardOptions {
  apiUrl: string;
  programId: string;
  /** Whose figures: the page has no login of its own, and is for this machine only. */
  merchant: Login;
}

/** What the page may ask for; everything else of the API stays closed. */
const readable = new Map([
  ['metrics', '/api/v1/analytics/metrics'],
  ['trend', '/api/v1/analytics/trend'],
  ['top-partners', '/api/v1/analytics/top-partners'],
  ['fraud-summary', '/api/v1/analytics/fraud-summary'],
  ['commissions', '/api/v1/commissions/stats'],
]);

const chartLibrary = path.join(path.dirname(require.resolve('chart.js')), 'chart.umd.min.js');

/** Answers what lies below /dashboard; false when the path is another one. */
export type Dashboard = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** A page of charts that knows nothing but what the analytics endpoints answer. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const ask = createSession({ ...options, side: 'merchant', login: options.merchant });
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'GET' || !/^\/dashboard(\/|$)/.test(pathname)) return false;

    const target = readable.get(pathname.replace('/dashboard/api/', ''));
    if (pathname === '/dashboard') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(dashboardPage());
    } else if (pathname === '/dashboard/chart.js') {
      const script = await readFile(chartLibrary);
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(script);
    } else if (target) {
      searchParams.set('programId', options.programId);
      const answer = await ask(`${target}?${searchParams.toString()}`);
      response.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8' });
      response.end(await answer.text());
    } else {
      return false;
    }
    return true;
  };
}
