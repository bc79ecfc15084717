import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { query } from '../../entities/database/sql';
import { claimAnyPort } from '../../stack/parts/ports';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import { buildApiKey } from '../support/build/accounts';
import { until } from '../support/eventually';
import { packedClient } from '../support/packed-client';
import { buildTrackedShop, type TrackedShop } from '../support/shops/tracked-shop';

const root = path.join(__dirname, '../..');

describeInBrowser('examples/', () => {
  let app: TestApp;
  let browser: Browser;
  let shop: TrackedShop;
  let env: Record<string, string>;
  let folder: string;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    shop = await buildTrackedShop(app);
    const { key, workspaceId } = shop.key;
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
    env = {
      PATH: process.env['PATH'] ?? '',
      AFFILIATE_API_URL: app.url,
      AFFILIATE_PUBLIC_KEY: key,
      AFFILIATE_SECRET_KEY: secret.key,
    };
    folder = mkdtempSync(path.join(tmpdir(), 'examples-'));
    cpSync(path.join(root, 'examples'), folder, { recursive: true });
    installInto(path.join(folder, 'node_modules'));
  }, 120_000);
  afterAll(async () => {
    for (const child of running) child.kill();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([browser.close(), app.close()]);
  });

  /** What npm would install: Express, and the client as it is packed. */
  function installInto(modules: string): void {
    mkdirSync(modules);
    symlinkSync(path.join(root, 'node_modules/express'), path.join(modules, 'express'));
    const client = 'affiliate-programme-client';
    const packed = path.join(packedClient().project, 'node_modules', client);
    symlinkSync(packed, path.join(modules, client));
  }

  /** The shop, once it answers. */
  async function start(name: string, command: readonly string[]): Promise<string> {
    const port = String(await claimAnyPort());
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: path.join(folder, name),
      env: { ...env, PORT: port },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(child, 'spawn');
    running.push(child);
    const url = `http://127.0.0.1:${port}`;
    await until(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return url;
  }

  async function buy(url: string): Promise<Page> {
    const page = await (await browser.newContext({ userAgent: visitorUserAgent })).newPage();
    await page.goto(`${url}/?ref=acme`);
    // The tag is asynchronous, as on any page: people take longer than this to press a button.
    await page.waitForFunction(`document.querySelector('[name=click_id]').value !== ''`);
    await page.click('button');
    await page.waitForSelector('text=A partner is credited');
    return page;
  }

  const commissions = () =>
    query<{ status: string; amountCents: number }>(
      app.deps.db.manager,
      `SELECT status, amount_cents AS "amountCents" FROM commissions
        WHERE participant_id = $1 ORDER BY id`,
      [shop.participant.id],
    );

  it('plain: a click, a sale, a commission', async () => {
    const before = (await commissions()).length;
    await buy(await start('plain', [process.execPath, 'server.mjs']));
    expect(await commissions()).toHaveLength(before + 1);
  });

  // The night needs Python; without one this fails, so that nobody takes it for tried.
  it('python: a click, a sale, a commission', async () => {
    const before = (await commissions()).length;
    await buy(await start('python', ['python3', 'server.py']));
    expect(await commissions()).toHaveLength(before + 1);
  });

  it('express-own-biller: a first payment, money back', async () => {
    const before = (await commissions()).length;
    const url = await start('express-own-biller', [process.execPath, 'server.mjs']);
    const page = await buy(url);
    const orders = page.url();
    await page.click('text=A month later');
    await page.waitForSelector('text=Renewed.');
    expect(page.url()).not.toBe(orders);
    await page.goBack();
    await page.click('text=Money back');
    await page.waitForSelector('text=The commission is taken back.');
    expect((await commissions())[before]).toEqual({ status: 'refunded', amountCents: 0 });
  });
});
