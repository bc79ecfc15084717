import path from 'node:path';
import { buildSync } from 'esbuild';
import { startTestApp, type TestApp } from '../../support/app';
import { describeInBrowser, launchProfile } from '../../support/browser';
import { packedClient } from '../../support/packed-client';
import { buildTrackedShop } from '../../support/shops/tracked-shop';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startSite, type FakeSite } from '../stage';
import { example } from './examples';

/** A page of React with the guide's button, of the packed package, as a merchant's bundler makes it. */
function bundledPage(): string {
  const contents = `${example('react-buy-button.jsx')}
    import { createRoot } from 'react-dom/client';
    const buy = ({ clickId }) => { document.querySelector('output').textContent = clickId ?? 'none'; };
    createRoot(document.querySelector('#root')).render(<BuyButton buy={buy} />);`;
  const { outputFiles } = buildSync({
    stdin: { contents, loader: 'jsx', resolveDir: packedClient().project },
    ...{ bundle: true, minify: true, format: 'iife', platform: 'browser', write: false },
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // React only: the package is the installed one.
    nodePaths: [path.join(__dirname, '../../../node_modules')],
  });
  return outputFiles[0]?.text ?? '';
}

describeInBrowser('useClickId', () => {
  let app: TestApp;
  let site: FakeSite;
  const profile = mkdtempSync(path.join(tmpdir(), 'selgeo-profile-'));
  beforeAll(async () => {
    [app, site] = await Promise.all([startTestApp(), startSite()]);
  }, 90_000);
  afterAll(async () => {
    rmSync(profile, { recursive: true, force: true });
    await Promise.all([site.close(), app.close()]);
  });

  it('is null, and then the id of the click that the script has recorded', async () => {
    const shop = await buildTrackedShop(app);
    const tag = `<script async src="${app.url}/v1/selgeo.js" data-merchant="${shop.key.key}"></script>`;
    const body = `<output></output><div id="root"></div><script>${bundledPage()}</script>`;
    site.put('/', `<!doctype html>${body}`);
    const context = await launchProfile(profile);
    const page = await context.newPage();
    const sent = async () => {
      await page.click('text=Buy');
      return page.locator('output').textContent();
    };
    await page.goto(`${site.at('www.react.example')}/?ref=acme`);
    expect(await sent()).toBe('none');
    site.put('/', `<!doctype html>${tag}${body}`);
    await page.reload();
    await page.waitForFunction(() => sessionStorage.getItem('__selgeo_cid'));
    const shown = await sent();
    await context.close();
    expect((await shop.storedClicks()).map(({ id }) => id)).toEqual([shown]);
  });
});
