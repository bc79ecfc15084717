import { source as axeSource, type AxeResults, type RunOptions } from 'axe-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/app';
import { launchBrowser } from '../../support/browser';
import { until } from '../../support/eventually';
import type { Caller } from '../../support/api-client';
import { newId } from '../../../entities/ids';

export const password = 'correct horse battery';

/**
 * The pages in a browser that takes down whatever they complain of, or ask of other origins: errors,
 * console errors, and what their policy forbids.
 */
export class Stage {
  private complaints: string[] = [];
  private readonly hosts = new Set<string>();

  private constructor(
    readonly app: TestApp,
    readonly browser: Browser,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<Stage> {
    const [app, browser] = await Promise.all([startTestApp(env), launchBrowser()]);
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

  /** What was to be expected: browsers take down every answer that is a refusal. */
  forgive(expected: RegExp): void {
    this.complaints = this.complaints.filter((one) => !expected.test(one));
  }

  /** A new merchant in test mode at the API, of the workspace “Tea Club”. */
  async registered(email = `mia-${newId().slice(-12)}@example.com`): Promise<Caller> {
    const body = { email, password, name: 'Mia Merchant', workspaceName: 'Tea Club' };
    const { body: session } = await this.app.client.post('/api/v1/auth/merchant/register', body);
    return this.app.client.as(String(session['accessToken']), 'test');
  }

  /** A merchant who is signed in, in a browser of their own, and the same person at the API. */
  async merchant(): Promise<{ context: BrowserContext; api: Caller; email: string }> {
    const email = `mia-${newId().slice(-12)}@example.com`;
    const api = await this.registered(email);
    return { context: await this.signedIn(email), api, email };
  }

  /** A browser of their own, in which this merchant is signed in; of another place where it is said. */
  async signedIn(email: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext(options);
    const page = await this.goTo(context, '/app');
    await textbox(page, 'Email').fill(email);
    await textbox(page, 'Password').fill(password);
    await button(page, 'Sign in').click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.close();
    return context;
  }

  /** A new member of the workspace of this owner: their address. */
  async member(owner: Caller, role: string): Promise<string> {
    const email = `${role}-${newId().slice(-12)}@example.com`;
    const invite = await owner.post('/api/v1/workspace/members', { email, role });
    const token = new URL(String(invite.body['inviteUrl'])).searchParams.get('token');
    const body = { token, name: `A ${role}`, password };
    const path = '/api/v1/auth/merchant/accept-invite';
    expect((await this.app.client.post(path, body)).status).toBe(201);
    return email;
  }

  /** Goes to a page by the navigation, as people do. */
  async toPage(page: Page, link: string): Promise<void> {
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: link, exact: true }).click();
    await heading(page, link).waitFor();
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

export const textbox = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true });

/**
 * Chooses one of a few, as people do: opens the list, takes the one with these words, and looks whether it was taken.
 * A list that moves between press and release takes no choice; people press again.
 */
export async function choose(choice: Locator, words: string): Promise<void> {
  const option = choice.page().getByRole('option', { name: words, exact: true });
  await until(async () => {
    if (!(await option.isVisible())) await choice.click();
    await option.click({ timeout: 2_000 }).catch(() => undefined);
    return !(await option.isVisible()) && (await choice.innerText()).includes(words);
  });
}

/** A promise that somebody else keeps. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The same within the open dialog. */
export const inDialog = (page: Page) => page.getByRole('dialog');

export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  // Nothing behind an open dialog can be used, so the dialog alone is checked.
  const context = (await inDialog(page).count()) > 0 ? '[role=dialog]' : 'html';
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run('${context}', ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** No serious fault of accessibility in light and dark, and no box that is cut or in the way. */
export async function fits(page: Page): Promise<void> {
  expect(await faultsOf(page)).toEqual([]);
  // The dark scheme differs in its colours alone; they are there at once.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await faultsOf(page, ['color-contrast'])).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  const usual = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    expect([page.url(), width, await badBoxesOf(page)]).toEqual([page.url(), width, []]);
  }
  await page.setViewportSize(usual);
}

const widths = [360, 768, 1920];

/**
 * What stands over the page's edge, is cut, or lies over its neighbour. What scrolls within its own
 * frame, and what says by three dots that it goes on, is meant.
 */
function badBoxesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const bad: string[] = [];
    const nameOf = (one: Element): string =>
      `${one.tagName}.${one.className} “${(one.textContent ?? '').slice(0, 40)}”`;
    if (root.scrollWidth > root.clientWidth) bad.push(`the page scrolls: ${root.scrollWidth}`);
    const isShown = (one: Element): boolean => one.checkVisibility() && !one.closest('.unseen');
    for (const one of document.querySelectorAll('button, .badge, h1, h2, label, dt, th, .select')) {
      const { overflow, textOverflow } = getComputedStyle(one);
      const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1;
      if (isShown(one) && isCut && overflow !== 'visible' && textOverflow !== 'ellipsis') {
        bad.push(`cut: ${nameOf(one)}`);
      }
    }
    for (const row of document.querySelectorAll('.actions, .filters, .inline-actions, .top')) {
      const boxes = [...row.children].filter(isShown).map((one) => one.getBoundingClientRect());
      boxes.forEach((box, at) => {
        const hit = boxes.find(
          (other, place) =>
            place > at &&
            Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
            Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
        );
        if (hit) bad.push(`over each other: ${nameOf(row)}`);
      });
    }
    return bad;
  });
}
