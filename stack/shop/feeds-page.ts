export interface FeedsPageOptions {
  apiUrl: string;
  /** Where the feeds of each side are in the API. */
  feedPaths: Record<'merchant' | 'partner', string>;
}

/** Both sides' feeds, live, and buttons that take a commission through its life. */
export function feedsPage(options: FeedsPageOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Harbour Coffee: live notifications</title>
<style>${STYLE}</style>
</head>
<body>
<header>
  <h1>A commission's life, live</h1>
  <p>Each step is one call of the API. What it leads to arrives below by itself: open this page in another tab, too.</p>
</header>
<ol class="steps" aria-label="Steps">
  ${step('sell', 'Report a sale', 'The shop’s server, with its secret key')}
  ${step('approve', 'Approve it', 'The merchant, before the hold ends')}
  ${step('pay', 'Make a payout', 'The money is on its way')}
  ${step('complete', 'Complete the payout', 'The money has arrived')}
</ol>
<p id="outcome" role="status">Begin with a sale of $49.00.</p>
<main>
  ${feed('merchant', 'Mira Hale', 'Merchant, Harbour Coffee')}
  ${feed('partner', 'Ava Reed', 'Partner')}
</main>
<script>const settings = ${JSON.stringify(options)};${SCRIPT}</script>
</body>
</html>`;
}

function step(name: string, title: string, note: string): string {
  return `<li><button type="button" data-step="${name}" disabled><strong>${title}</strong><span>${note}</span></button></li>`;
}

function feed(side: string, name: string, role: string): string {
  return `<section class="card" id="${side}" aria-labelledby="${side}-name">
    <div class="head">
      <div><h2 id="${side}-name">${name}</h2><p class="soft">${role}</p></div>
      <p class="soft link" data-state="connecting"><i></i><span>connecting</span></p>
    </div>
    <div class="head bar">
      <p><b class="badge">0</b> unread</p>
      <button type="button" class="plain" data-read="${side}">Mark all as read</button>
    </div>
    <ul class="feed" aria-live="polite"></ul>
    <p class="soft empty">Nothing yet.</p>
  </section>`;
}

const STYLE = `
  :root { --ink: #24201d; --soft: #7b7068; --paper: #f8f4ee; --card: #fff; --line: #e6ddd2;
    --accent: #b4512f; --fill: #b4512f14; --good: #2f7a4d; --bad: #b03030 }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #f2ebe3; --soft: #a99d92; --paper: #1b1715; --card: #26201d; --line: #3a322d;
      --accent: #e08a5f; --fill: #e08a5f1f; --good: #74c493; --bad: #ef8f8f } }
  * { box-sizing: border-box }
  body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif;
    color: var(--ink); background: var(--paper) }
  h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 0 }
  p { margin: 0 } header p, .soft { color: var(--soft); font-size: .9rem }
  .steps { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem;
    margin: 1.2rem 0 .8rem; padding: 0; counter-reset: step }
  .steps li { display: flex; counter-increment: step }
  .steps button { flex: 1; display: grid; grid-template-columns: auto 1fr; column-gap: .7rem;
    align-content: center; text-align: left;
    padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .8rem; background: var(--card) }
  .steps button::before { content: counter(step); grid-row: span 2; align-self: center; width: 1.9rem; height: 1.9rem;
    line-height: 1.9rem; text-align: center; border-radius: 50%; color: var(--soft); background: var(--paper) }
  .steps span { color: var(--soft); font-size: .8rem }
  .steps button:enabled { border-color: var(--accent); cursor: pointer }
  .steps button:enabled::before { color: var(--card); background: var(--accent) }
  .steps button:enabled:hover, .steps button:focus-visible { background: var(--fill) }
  .steps button:disabled { color: var(--soft) } .steps .done::before { content: '\\2713'; color: var(--good) }
  button { font: inherit; color: inherit }
  #outcome { min-height: 1.5rem; margin-bottom: 1rem } #outcome.bad { color: var(--bad) }
  main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; align-items: start }
  .card { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: 1rem 1.2rem; min-width: 0 }
  .head { display: flex; flex-wrap: wrap; gap: .4rem 1rem; justify-content: space-between; align-items: center }
  .bar { margin-top: .7rem; padding: .5rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); font-size: .9rem }
  .badge { display: inline-block; min-width: 1.6rem; padding: 0 .45rem; border-radius: 1rem; text-align: center;
    color: var(--card); background: var(--soft) } .badge.some { background: var(--accent) }
  .plain { font-size: .85rem; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: 2rem; background: none; cursor: pointer }
  .link i { display: inline-block; width: .55rem; height: .55rem; margin-right: .4rem; border-radius: 50%; background: var(--soft) }
  .link[data-state=live] i { background: var(--good) } .link[data-state=away] i { background: var(--bad) }
  .feed { list-style: none; margin: 0; padding: 0 } .feed:not(:empty) + .empty { display: none }
  .empty { padding: 1rem 0 } .feed li { padding: .7rem 0; border-bottom: 1px solid var(--line) }
  .feed li:last-child { border: 0 } .feed li.unread { padding-left: .8rem; box-shadow: inset 3px 0 var(--accent) }
  .feed h3 { font-size: .95rem; margin: 0 } .feed p { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere }
  .feed .new { animation: arrive 2.5s } @keyframes arrive { from { background: var(--fill) } }
  @media (prefers-reduced-motion: reduce) { .feed .new { animation: none } }
`;

const SCRIPT = `
  const mostShown = 12;
  const post = (path) => request(path, { method: 'POST' });
  async function request(path, init) {
    const response = await fetch('/feeds/' + path, init);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    return answer;
  }

  function entry({ id, title, body, category, createdAt, readAt }, isNew) {
    const item = document.createElement('li');
    item.dataset.id = id;
    item.className = (readAt ? '' : 'unread') + (isNew ? ' new' : '');
    const time = new Date(createdAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
    for (const [tag, text] of [['h3', title], ['p', body], ['p', category + ', ' + time]]) {
      const part = document.createElement(tag);
      part.textContent = text;
      item.append(part);
    }
    return item;
  }

  /** One side of the page: first what is there, then whatever happens after it. */
  function follow(side) {
    const box = document.getElementById(side);
    const list = box.querySelector('.feed');
    let last = '';
    const say = (state, text) => {
      const link = box.querySelector('.link');
      link.dataset.state = state;
      link.querySelector('span').textContent = text;
    };
    const count = (unread) => {
      const badge = box.querySelector('.badge');
      badge.textContent = unread;
      badge.classList.toggle('some', unread > 0);
      if (unread === 0) for (const item of list.children) item.classList.remove('unread');
    };
    const show = (record) => {
      last = record.id;
      list.prepend(entry(record, true));
      while (list.children.length > mostShown) list.lastChild.remove();
    };

    async function open() {
      try {
        const { ticket } = await post(side + '/ticket');
        const query = new URLSearchParams({ ticket, lastEventId: last });
        const source = new EventSource(settings.apiUrl + settings.feedPaths[side] + '/stream?' + query);
        source.onopen = () => say('live', 'live');
        source.addEventListener('notification', (event) => show(JSON.parse(event.data)));
        source.addEventListener('unread-count', (event) => count(JSON.parse(event.data).count));
        // A ticket is good for one stream: whatever ended this one, the next has its own.
        source.onerror = () => {
          source.close();
          say('away', 'connecting again');
          setTimeout(open, 1000 + Math.random() * 2000);
        };
      } catch {
        say('away', 'connecting again');
        setTimeout(open, 3000);
      }
    }
    async function begin() {
      try {
        const { data } = await request(side + '/list');
        list.replaceChildren(...data.map((record) => entry(record, false)));
        last = data.length > 0 ? data[0].id : '';
      } catch {
        return void setTimeout(begin, 3000);
      }
      await open();
    }
    return begin();
  }

  const steps = ['sell', 'approve', 'pay', 'complete'];
  let current = 0;
  let id = '';
  function showSteps() {
    steps.forEach((name, index) => {
      const button = document.querySelector('[data-step=' + name + ']');
      button.disabled = index !== current;
      button.classList.toggle('done', index < current);
    });
  }
  const money = (cents, currency) => (cents / 100).toLocaleString('en', { style: 'currency', currency: currency.toUpperCase() });
  const outcomes = {
    sell: ({ commission, attribution }) => {
      if (!commission) throw new Error(attribution.explanation);
      id = commission.id;
      return 'Sold. The partner earns ' + money(commission.amount_cents, commission.currency) + ', once it is approved.';
    },
    approve: () => 'Approved. The next payout may take it.',
    pay: (payout) => {
      id = payout.id;
      return 'The payout is being made.';
    },
    complete: () => 'Paid. The next sale begins another life.',
  };
  async function take(name) {
    const outcome = document.getElementById('outcome');
    current = -1;
    showSteps();
    let next = steps.indexOf(name);
    try {
      outcome.textContent = outcomes[name](await post('do/' + name + '?id=' + id));
      outcome.className = '';
      next = (next + 1) % steps.length;
    } catch (error) {
      outcome.textContent = 'That did not work: ' + error.message;
      outcome.className = 'bad';
      next = 0;
    }
    current = next;
    showSteps();
  }

  document.addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button) return;
    if (button.dataset.step) take(button.dataset.step);
    else post(button.dataset.read + '/read').catch(() => undefined);
  });
  showSteps();
  follow('merchant');
  follow('partner');
`;
