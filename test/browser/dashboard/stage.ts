import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/app';
import { launchBrowser } from '../../support/browser';
import type { Caller } from '../../support/api-client';
import { newId } from '../../../entities/ids';

export const password = 'correct horse battery';

/** The pages in a browser that takes down whatever they complain of, or ask of other origins. */
export class Stage {
  private readonly complaints: string[] = [];
  private readonly hosts = new Set<string>();

  private constructor(
    readonly app: TestApp,
    readonly browser: Browser,
  ) {}

  static async open(): Promise<Stage> {
    const [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    // A test's port is known only now; the address is where cookies may be asked for.
    Object.assign(app.deps.config, { publicBaseUrl: app.url, dashboardUrl: app.url });
    return new Stage(app, browser);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.app.close();
    expect(this.complaints).toEqual([]);
    expect([...this.hosts].filter((host) => host !== this.app.url && host !== 'null')).toEqual([]);
  }

  /** A merchant who is signed in, in a browser of their own, and the same person at the API. */
  async merchant(): Promise<{ context: BrowserContext; api: Caller }> {
    const email = `mia-${newId().slice(-12)}@example.com`;
    const body = { email, password, name: 'Mia Merchant', workspaceName: 'Tea Club' };
    const { body: session } = await this.app.client.post('/api/v1/auth/merchant/register', body);
    const context = await this.browser.newContext();
    const page = await this.goTo(context, '/app');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Sign in').click();
    await heading(page, 'Get started').waitFor();
    await page.close();
    return { context, api: this.app.client.as(String(session['accessToken']), 'test') };
  }

  async goTo(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(`${message.text()} ${page.url()}`);
    });
    page.on('request', (request) => this.hosts.add(new URL(request.url()).origin));
    await page.goto(this.app.url + path);
    return page;
  }
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The same within the open dialog. */
export const inDialog = (page: Page) => page.getByRole('dialog');

export async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
