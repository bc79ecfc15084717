import path from 'node:path';
import { buildSync } from 'esbuild';
import { startTestApp, type TestApp } from '../../support/app';
import { describeInBrowser, launchProfile } from '../../support/browser';
import { buildTrackedShop } from '../../support/tracked-shop';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startSite, type FakeSite } from '../stage';

/** A page of React with the hook, as a merchant's bundler makes it. */
function bundledPage(): string {
  const contents = `import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { useClickId } from './src/react.ts';
    const Page = () => createElement('output', null, useClickId() ?? 'none');
    createRoot(document.querySelector('#root')).render(createElement(Page));`;
  const { outputFiles } = buildSync({
    stdin: { contents, loader: 'js', resolveDir: path.join(__dirname, '../../../packages/client') },
    ...{ bundle: true, minify: true, format: 'iife', platform: 'browser', write: false },
    define: { 'process.env.NODE_ENV': '"production"' },
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
    site.put('/', `<!doctype html>${tag}<div id="root"></div><script>${bundledPage()}</script>`);
    const context = await launchProfile(profile);
    const page = await context.newPage();
    await page.goto(`${site.at('www.react.example')}/?ref=acme`);
    await page.locator('output', { hasText: /^[0-9a-f-]{36}$/ }).waitFor();
    const shown = await page.locator('output').textContent();
    await context.close();
    expect((await shop.storedClicks()).map(({ id }) => id)).toEqual([shown]);
  });
});
