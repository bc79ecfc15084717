/**
 * The script that a merchant's page loads (docs/integrate.md). It must never throw, never wait and
 * never touch anything of the page but what leads to payment pages of Stripe and Polar; a cookie it sets only
 * where the page asks for one by `data-keep`.
 *
 * Everything lives inside one block, so that only names beginning `__selgeo` become visible, also when
 * a page loads it as a module. Written for browsers from 2017 on; esbuild lowers the syntax. All of it
 * has 2 KiB, compressed.
 */
interface Answer {
  click_id?: unknown;
  visitor_token?: unknown;
  expires_at?: string;
}

interface Selgeo {
  getClickId(): string | null;
  start(): void;
  ready(told: (clickId: string | null) => void): void;
  decorate(url: string): string;
}

type Queued = (selgeo: Selgeo) => void;

{
  const clickKey = '__selgeo_cid';
  const visitorKey = '__selgeo_vtk';
  const refKey = '__selgeo_ref';
  const stripeAttribute = 'client-reference-id';
  const stripeTags = 'stripe-buy-button,stripe-pricing-table';
  const longestText = 2048;
  const retryAfterSeconds = [1, 5, 30];
  // A page script that keeps undoing our change must not spin against us for ever.
  const maxWritesPerElement = 999;

  const page = window as Window & {
    __selgeo?: Partial<Selgeo>;
    __selgeoQueue?: { push(queued: Queued): unknown } | Queued[];
    document: Document & { prerendering?: boolean };
  };
  let data: DOMStringMap = {};

  const log = (...step: unknown[]): void => {
    if (data['debug'] !== undefined) console.log('selgeo', ...step);
  };

  /** Runs one step; its errors never reach the page. */
  const quietly = <T>(step: () => T): T | undefined => {
    try {
      return step();
    } catch (error) {
      log(error);
      return undefined;
    }
  };

  // Memory keeps only what session storage refused, so it is always newer than what is stored.
  const memory: Record<string, string> = {};

  const read = (key: string): string | null =>
    memory[key] || quietly(() => sessionStorage.getItem(key)) || null;

  /** An empty text removes what was kept. */
  const write = (key: string, value: string): void => {
    memory[key] = value;
    quietly(() => {
      if (value) sessionStorage.setItem(key, value);
      else sessionStorage.removeItem(key);
      if ((sessionStorage.getItem(key) || '') === value) delete memory[key];
    });
  };

  /** Undefined where nothing was kept, or the page does not ask for it. */
  const readCookie = (): string | undefined =>
    data['keep'] === undefined
      ? undefined
      : quietly(() => (/(?:^|; )__selgeo_cid=([\w-]+)/.exec(document.cookie) || [])[1]);

  const getClickId = (): string | null => read(clickKey) || readCookie() || null;

  /** Tries the widest domain first, until the browser takes one: it refuses `com` and `co.uk` by itself. */
  const writeCookie = (id: string, expiresAt?: string): void => {
    const labels = location.hostname.split('.');
    const rest = `;path=/;samesite=lax;expires=${new Date(expiresAt!).toUTCString()}${
      location.protocol === 'https:' ? ';secure' : ''
    }`;
    for (let i = labels.length; i-- > -1 && readCookie() !== id;) {
      document.cookie = `${clickKey}=${id}${rest}${i < 0 ? '' : ';domain=' + labels.slice(i).join('.')}`;
    }
    log('cookie', readCookie());
  };

  const written = new WeakMap<Element, { id: string; times: number }>();

  /** The address with the click, unless it is no payment page or has a reference that is not `mine`. */
  const decorated = (address: string, id: string, mine?: string): string => {
    const url = new URL(address);
    const isOf = (hosts: string, ownHosts?: string): boolean =>
      (hosts + ',' + (ownHosts || ''))
        .toLowerCase()
        .split(/[\s,]+/)
        .indexOf(url.host) >= 0;
    const field = isOf('buy.stripe.com,book.stripe.com,donate.stripe.com', data['stripeHosts'])
      ? 'client_reference_id'
      : isOf('buy.polar.sh', data['polarHosts']) && 'reference_id';
    if (url.protocol !== 'https:' || !field) return address;

    const present = url.searchParams.get(field);
    if (present !== null && (!present || present !== mine)) return address;

    const pair = field + '=' + encodeURIComponent(id);
    url.search = present
      ? url.search.replace(field + '=' + encodeURIComponent(present), pair)
      : url.search + (url.search ? '&' : '?') + pair;
    return url.href;
  };

  /** A reference that the merchant wrote stays; one that we wrote follows the latest click. */
  const mark = (element: Element, id: string): void => {
    const mine = written.get(element) || { id: '', times: 0 };
    const isTag = element.matches(stripeTags);
    const present = isTag
      ? element.getAttribute(stripeAttribute) || ''
      : (element as HTMLAnchorElement).href;
    const wanted = isTag ? (present === mine.id ? id : present) : decorated(present, id, mine.id);
    if (wanted === present || mine.times >= maxWritesPerElement) return;

    written.set(element, { id, times: mine.times + 1 });
    element.setAttribute(isTag ? stripeAttribute : 'href', wanted);
    log('marked', wanted);
  };

  const selector = 'a[href],' + stripeTags;

  const markAll = (root: Node): void => {
    const id = getClickId();
    // Text and comments come here too, and have no links.
    if (!id || !(root as ParentNode).querySelectorAll) return;

    (root as ParentNode)
      .querySelectorAll(selector)
      .forEach((element) => quietly(() => mark(element, id)));
    if (root !== document && (root as Element).matches(selector)) mark(root as Element, id);
  };

  let watching = false;

  /** Watches only once there is a click to pass on: other visitors' pages pay nothing for us. */
  const watch = (): void => {
    if (!getClickId()) return;

    quietly(() => markAll(document));
    if (watching) return;
    watching = true;

    const changed = (record: MutationRecord): void => {
      if (record.type === 'attributes') markAll(record.target);
      record.addedNodes.forEach((node) => quietly(() => markAll(node)));
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

  let tell = (): void => undefined;
  const answered = new Promise<void>((resolve) => (tell = resolve));

  const settle = (answer: Answer | null): void => {
    const { click_id: id, visitor_token: visitor, expires_at: end } = answer || {};
    log('answer', answer);
    write(refKey, '');
    if (typeof id === 'string') {
      write(visitorKey, typeof visitor === 'string' ? visitor : '');
      write(clickKey, id);
      if (data['keep'] !== undefined) quietly(() => writeCookie(id, end));
      watch();
    } else if (/^new/.test(read(visitorKey) || '')) {
      write(visitorKey, '');
    }
    tell();
  };

  const send = (address: string, body: string, attempt: number): void => {
    const repeat = (response?: Response): void => {
      const wait = retryAfterSeconds[attempt];
      log('no answer, again in', wait);
      if (!wait) return tell();

      const asked = (response && Number(response.headers.get('retry-after'))) || 0;
      setTimeout(() => send(address, body, attempt + 1), Math.max(wait, asked) * 1000);
    };
    log('click', body);
    // A plain string body without headers is a CORS-simple request: the browser sends no preflight.
    fetch(address, { method: 'POST', body, credentials: 'omit', keepalive: true })
      .then((response) =>
        response.status === 429 || response.status > 499
          ? repeat(response)
          : response.json().then(settle),
      )
      .catch(() => repeat());
  };

  /** A module has no current script: then the first tag with a public key is ours. */
  const ownTag = (): HTMLScriptElement | null => {
    const current = document.currentScript as HTMLScriptElement | null;
    return current && current.dataset['merchant']
      ? current
      : document.querySelector<HTMLScriptElement>('script[data-merchant^="pk_"]');
  };

  /** The ref of this page's address; else the one that an earlier page of the tab got no answer for. */
  const currentRef = (): string | null => {
    const { search, hash } = location;
    // The ref may also stand behind a second question mark or an escaped ampersand, or in a hash route's own query.
    const all = (search + hash.replace(/^[^?]*/, '')).replace(/\?|&amp;/gi, '&');
    const values: Record<string, string> = {};
    new URLSearchParams(all).forEach((value, name) => {
      name = name.toLowerCase();
      values[name] = values[name] || value;
    });
    const names = (data['params'] || 'ref').toLowerCase().split(/[\s,]+/);
    return names.map((name) => values[name]).find(Boolean) || read(refKey);
  };

  /** The visitor's token; who has none yet gets a new name, by which a repeated click is known. */
  const currentVisitor = (): string | undefined => {
    if (!read(visitorKey)) {
      quietly(() =>
        write(visitorKey, 'new.' + crypto.getRandomValues(new Uint32Array(4)).join('.')),
      );
    }
    return read(visitorKey) || undefined;
  };

  /** What sends the click, once. Everything of the page is read now: a router may rewrite its address. */
  const startOf = (origin: string): (() => void) => {
    const key = data['merchant'];
    const ref = currentRef();
    const url = location.href.slice(0, longestText);
    const referrer = document.referrer.slice(0, longestText);
    let sent = false;
    log('runs', { key, ref, origin, click: getClickId() });
    if (!key || !ref || !origin) {
      tell();
      sent = true;
    }

    const start = (): void => {
      if (sent) return;

      // A page that is only prepared has no visitor yet, and may never have one.
      if (page.document.prerendering) {
        return document.addEventListener('prerenderingchange', start, { once: true });
      }
      sent = true;
      write(refKey, ref!);
      const visitor_token = currentVisitor();
      const body = JSON.stringify({ key, ref, url, referrer, visitor_token });
      quietly(() => send(origin.replace(/\/+$/, '') + '/v1/clicks', body, 0));
    };
    return start;
  };

  quietly(() => {
    // A second tag leaves everything to the first: one click per page load.
    if (page.__selgeo && page.__selgeo.getClickId) return;

    const tag = ownTag();
    if (tag) data = tag.dataset;
    const origin =
      data['apiUrl'] || (tag && /^http/.test(tag.src) && new URL(tag.src).origin) || '';
    const selgeo: Selgeo = {
      getClickId,
      start: startOf(origin),
      ready: (told) => void answered.then(() => quietly(() => told(getClickId()))),
      decorate(address) {
        const id = getClickId();
        return (id && quietly(() => decorated(address, id))) || address;
      },
    };
    const call = (queued: Queued): void => void quietly(() => queued(selgeo));
    const queue = page.__selgeoQueue;
    page.__selgeo = selgeo;
    page.__selgeoQueue = { push: call };
    quietly(() => ((queue || []) as Queued[]).forEach(call));
    watch();
    if (data['manual'] === undefined) selgeo.start();
  });
}
