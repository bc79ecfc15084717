/**
 * The script that a merchant's page loads. It must never throw, never wait, never set a cookie
 * and never touch anything of the page but links to Stripe's payment pages.
 *
 * Everything lives inside one block, so that only `window.__selgeo` becomes visible, also when a
 * page loads it as a module. Written for browsers from 2017 on; esbuild lowers the syntax.
 */
interface Answer {
  click_id?: unknown;
  visitor_token?: unknown;
}

interface Selgeo {
  getClickId(): string | null;
  start(): void;
}

{
  const clickKey = '__selgeo_cid';
  const visitorKey = '__selgeo_vtk';
  const stripeField = 'client_reference_id';
  const longestText = 2048;
  // A page script that keeps undoing our change must not spin against us for ever.
  const maxWritesPerLink = 999;

  const page = window as Window & {
    __selgeo?: Partial<Selgeo>;
    document: Document & { prerendering?: boolean };
  };

  /** Runs one step; its errors never reach the page. */
  const quietly = <T>(step: () => T): T | undefined => {
    try {
      return step();
    } catch {
      return undefined;
    }
  };

  // Only what session storage refused is kept here, so it is always newer than what is stored.
  const memory: Record<string, string> = {};

  const read = (key: string): string | null =>
    memory[key] || quietly(() => sessionStorage.getItem(key)) || null;

  const write = (key: string, value: unknown): void => {
    if (typeof value !== 'string' || !value) return;

    memory[key] = value;
    quietly(() => {
      sessionStorage.setItem(key, value);
      if (sessionStorage.getItem(key) === value) delete memory[key];
    });
  };

  const written = new WeakMap<HTMLAnchorElement, { id: string; times: number }>();

  /** A reference that the merchant wrote stays; one that we wrote follows the latest click. */
  const decorate = (link: HTMLAnchorElement, id: string): void => {
    // Host and protocol are undefined on the links of an SVG drawing.
    if (link.host !== 'buy.stripe.com' || link.protocol !== 'https:') return;

    const mine = written.get(link) || { id: '', times: 0 };
    const query = link.search;
    const present = new URLSearchParams(query).get(stripeField);
    if (mine.times >= maxWritesPerLink || present === id) return;
    if (present !== null && (!present || present !== mine.id)) return;

    written.set(link, { id, times: mine.times + 1 });
    const pair = stripeField + '=' + encodeURIComponent(id);
    link.search = present
      ? query.replace(stripeField + '=' + encodeURIComponent(present), pair)
      : query + (query ? '&' : '?') + pair;
  };

  const decorateAll = (root: Node): void => {
    const id = read(clickKey);
    // Text and comments come here too, and have no links.
    if (!id || !(root as ParentNode).querySelectorAll) return;

    const links = (root as ParentNode).querySelectorAll<HTMLAnchorElement>('a[href]');
    for (let i = 0; i < links.length; i++) quietly(() => decorate(links[i]!, id));
    if ((root as Element).tagName === 'A') quietly(() => decorate(root as HTMLAnchorElement, id));
  };

  let watching = false;

  /** Watches only once there is a click to pass on: other visitors' pages pay nothing for us. */
  const watchLinks = (): void => {
    if (!read(clickKey)) return;

    quietly(() => decorateAll(document));
    if (watching) return;
    watching = true;

    const changed = (record: MutationRecord): void => {
      if (record.type === 'attributes') decorateAll(record.target);
      record.addedNodes.forEach((node) => quietly(() => decorateAll(node)));
    };
    new MutationObserver((records) =>
      records.forEach((record) => quietly(() => changed(record))),
    ).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['href'],
    });
  };

  const send = (address: string, body: Record<string, string | undefined>): void => {
    // A plain string body without headers is a CORS-simple request: the browser sends no preflight.
    fetch(address, {
      method: 'POST',
      body: JSON.stringify(body),
      credentials: 'omit',
      keepalive: true,
    })
      .then((response) => response.json())
      .then((answer: Answer) => {
        if (typeof answer.click_id !== 'string') return;

        write(visitorKey, answer.visitor_token);
        write(clickKey, answer.click_id);
        watchLinks();
      })
      .catch(() => undefined);
  };

  quietly(() => {
    // A second tag leaves everything to the first: one click per page load.
    if (page.__selgeo && page.__selgeo.getClickId) return;

    // A module has no current script: then the first tag with a public key is ours.
    const current = document.currentScript as HTMLScriptElement | null;
    const tag =
      current && current.dataset['merchant']
        ? current
        : document.querySelector<HTMLScriptElement>('script[data-merchant^="pk_"]');
    const data: DOMStringMap = tag ? tag.dataset : {};
    const key = data['merchant'];
    const origin =
      data['apiUrl'] || (tag && /^http/.test(tag.src) && new URL(tag.src).origin) || '';

    // Read now: a page that routes by itself may have rewritten its address before start().
    const ref = new URLSearchParams(location.search).get('ref');
    const url = location.href.slice(0, longestText);
    const referrer = document.referrer.slice(0, longestText);
    let sent = false;

    const start = (): void => {
      if (sent || !key || !ref || !origin) return;

      // A page that is only prepared has no visitor yet, and may never have one.
      if (page.document.prerendering) {
        return document.addEventListener('prerenderingchange', start, {
          once: true,
        });
      }

      sent = true;
      const visitor_token = read(visitorKey) || undefined;
      const address = origin.replace(/\/+$/, '') + '/v1/clicks';
      quietly(() => send(address, { key, ref, url, referrer, visitor_token }));
    };

    page.__selgeo = { getClickId: () => read(clickKey), start };
    watchLinks();
    if (data['manual'] === undefined) start();
  });
}
