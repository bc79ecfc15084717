export interface ShopPageOptions {
  apiUrl: string;
  publicKey: string;
  priceCents: number;
  /** Of the programme whose partners send buyers here, in lower case. */
  currency: string;
  /** Whether the shop's server has the secret key that goes with the public one. */
  isOwn: boolean;
}

/** The snippet as docs/integrate.md teaches it, with `data-keep`, and a button that buys. */
export function shopPage(options: ShopPageOptions): string {
  const { apiUrl, publicKey, priceCents, currency, isOwn } = options;
  const price = priceOf(priceCents, currency);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Harbour Coffee (demo shop)</title>
<script async src="${apiUrl}/v1/selgeo.js" data-merchant="${publicKey}" data-keep></script>
<style>${STYLE}</style>
</head>
<body>
<header><strong>Harbour Coffee</strong><span id="visit" role="status">Looking for a partner's link…</span></header>
<main>
  <div class="bag" aria-hidden="true"><span>Harbour<br>Blend</span></div>
  <section>
    <p class="kind">Whole beans, 1 kg</p>
    <h1>Harbour Blend</h1>
    <p>Dark chocolate and toasted hazelnut. Roasted on Mondays, at your door on Wednesdays.</p>
    <p class="price">${price}</p>
    <p><label>Promo code <input id="code" size="10" autocomplete="off"></label></p>
    ${isOwn ? '' : SECRET_FIELD}<button id="buy" type="button" data-currency="${currency}">Buy now</button>
    <div id="outcome" role="status" hidden></div>
  </section>
</main>
<footer>A demo: nothing is sold. Buy reports a sale from the shop's server.</footer>
<script>${SCRIPT}</script>
</body>
</html>`;
}

function priceOf(minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(minorUnits / 10 ** maximumFractionDigits);
}

/** What the server of a shop knows of itself; this one is lent to whoever's link one came by. */
const SECRET_FIELD = `<p><label>Your secret key <input id="secret" size="24" autocomplete="off" placeholder="sk_…"></label><br>
    <small>This shop carries your tag. A sale is reported by the shop's server with your secret key: paste it, and press Buy.</small></p>
    `;

const STYLE = `
  :root { --ink: #24201d; --soft: #7b7068; --paper: #f8f4ee; --accent: #b4512f }
  * { box-sizing: border-box }
  body { margin: 0; font: 17px/1.6 Georgia, serif; color: var(--ink); background: var(--paper) }
  header, footer { max-width: 62rem; margin: auto; padding: 1.5rem; color: var(--soft); font-size: .9rem }
  header { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap }
  header strong { color: var(--ink); font-size: 1.2rem }
  main { max-width: 62rem; margin: 1rem auto; padding: 1.5rem; display: grid; gap: 3rem;
    grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); align-items: center }
  .bag { height: 24rem; border-radius: 1.2rem 1.2rem .4rem .4rem; display: grid; place-items: center;
    background: linear-gradient(160deg, #3b2c24, #6d4330 70%, #8d5a3c); box-shadow: 0 2rem 3rem -1.5rem #0006 }
  .bag span { color: var(--paper); border: 1px solid #fff6; padding: 2rem 1.6rem; text-align: center;
    font-size: 1.5rem; line-height: 1.3; letter-spacing: .04em }
  h1 { font-size: 2.6rem; line-height: 1.1; margin: .3rem 0 1rem }
  .kind { color: var(--soft); margin: 0 } .price { font-size: 1.5rem }
  button { font: inherit; padding: .8rem 2.4rem; border: 0; border-radius: 2rem; color: #fff;
    background: var(--accent); cursor: pointer }
  button:hover, button:focus-visible { filter: brightness(1.12) } button:disabled { opacity: .6 }
  input { font: inherit; padding: .3rem .6rem; border: 1px solid #cfc4b8; border-radius: .5rem; background: #fff }
  #outcome { margin-top: 1.5rem; padding: 1rem 1.2rem; background: #fff; border-radius: .8rem;
    border-left: 4px solid var(--accent) }
  #outcome p { margin: 0 0 .4rem } pre { margin: 0; font-size: .75rem; overflow: auto; max-height: 16rem }
`;

const SCRIPT = `
  const outcome = document.getElementById('outcome');
  const clickId = () => window.__selgeo ? __selgeo.getClickId() : null;
  (window.__selgeoQueue = window.__selgeoQueue || []).push((selgeo) => selgeo.ready((clickId) => {
    document.getElementById('visit').textContent = clickId
      ? 'You came by a partner\\u2019s link: click ' + clickId
      : new URLSearchParams(location.search).has('ref')
        ? 'The click was not counted: an unknown link, or a browser that calls itself a bot, as headless ones do.'
        : 'No partner\\u2019s link: open a partner\\u2019s link first.';
  }));

  function moneyOf({ amount_cents, currency }) {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
    return format.format(amount_cents / 10 ** format.resolvedOptions().maximumFractionDigits);
  }

  function waitOf({ needs_review, hold_until }) {
    if (needs_review) return ': the merchant reviews this sale first';
    return hold_until ? ', held until ' + new Date(hold_until).toLocaleString() : '';
  }

  function summary(answer) {
    const commission = answer.commission;
    if (commission) {
      return 'Thank you! The partner earns ' + moneyOf(commission) + ' (' + commission.status + waitOf(commission) + ').';
    }
    if (answer.attribution) return 'Thank you! No partner is credited: ' + answer.attribution.explanation;
    return 'The purchase was not reported: ' + answer.message;
  }

  document.getElementById('buy').addEventListener('click', async (event) => {
    const button = event.currentTarget;
    const secret = document.getElementById('secret');
    outcome.hidden = false;
    if (secret && !secret.value.trim()) {
      outcome.textContent = 'Paste your secret key first: without it nobody is told of this sale.';
      return secret.focus();
    }
    button.disabled = true;
    try {
      const response = await fetch('/buy', { method: 'POST', body: JSON.stringify({ clickId: clickId(), promoCode: document.getElementById('code').value.trim(), secretKey: secret?.value.trim(), currency: button.dataset.currency }) });
      const answer = await response.json();
      const text = document.createElement('p');
      text.textContent = summary(answer);
      const raw = document.createElement('pre');
      raw.textContent = JSON.stringify(answer, null, 2);
      outcome.replaceChildren(text, raw);
    } catch (error) {
      outcome.textContent = 'The shop does not answer: ' + error.message;
    }
    button.disabled = false;
  });
`;
