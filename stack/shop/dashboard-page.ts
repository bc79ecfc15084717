/** Charts of the last month, quarter or year, in the viewer's own time zone. */
export function dashboardPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Harbour Coffee: partner programme</title>
<style>${STYLE}</style>
</head>
<body>
<header>
  <h1>Partner programme</h1>
  <nav aria-label="Period">
    <button type="button" data-days="30">30 days</button>
    <button type="button" data-days="90">90 days</button>
    <button type="button" data-days="365">Year</button>
  </nav>
</header>
<p id="status" role="status">Loading…</p>
<section class="tiles" id="tiles" aria-label="Figures"></section>
<section class="card wide">
  <div class="head"><h2 id="trend-title">Revenue</h2>
    <nav aria-label="Figure">
      <button type="button" data-metric="revenue">Revenue</button>
      <button type="button" data-metric="clicks">Clicks</button>
      <button type="button" data-metric="conversions">Conversions</button>
    </nav></div>
  <div class="chart"><canvas id="trend" role="img" aria-label="Trend"></canvas></div>
</section>
<div class="pair">
  <section class="card"><h2>Top partners by revenue</h2>
    <div class="chart"><canvas id="partners" role="img" aria-label="Top partners"></canvas></div></section>
  <section class="card"><h2>From click to commission</h2>
    <div class="chart"><canvas id="funnel" role="img" aria-label="Funnel"></canvas></div>
    <p class="note">The scale is logarithmic: each line is ten times the one before.</p></section>
</div>
<script src="/dashboard/chart.js"></script>
<script>${SCRIPT}</script>
</body>
</html>`;
}

const STYLE = `
  :root { --ink: #24201d; --soft: #7b7068; --paper: #f8f4ee; --card: #fff; --line: #e6ddd2;
    --accent: #b4512f; --fill: #b4512f22; --good: #2f7a4d; --bad: #b03030 }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #f2ebe3; --soft: #a99d92; --paper: #1b1715; --card: #26201d; --line: #3a322d;
      --accent: #e08a5f; --fill: #e08a5f26; --good: #74c493; --bad: #ef8f8f } }
  * { box-sizing: border-box }
  body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif;
    color: var(--ink); background: var(--paper) }
  header, .head { display: flex; flex-wrap: wrap; gap: .8rem; justify-content: space-between; align-items: center }
  h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1rem; margin: 0 0 .6rem }
  nav { display: flex; gap: .3rem } #status { color: var(--soft); margin: .6rem 0 1rem }
  button { font: inherit; font-size: .9rem; padding: .3rem .9rem; border: 1px solid var(--line); border-radius: 2rem;
    color: var(--ink); background: var(--card); cursor: pointer }
  button[aria-pressed=true] { color: var(--card); background: var(--accent); border-color: var(--accent) }
  .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem; margin-bottom: 1rem }
  .tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: 1rem 1.2rem }
  .tile span { color: var(--soft); font-size: .85rem } .tile strong { display: block; font-size: 1.5rem }
  .up { color: var(--good) !important } .down { color: var(--bad) !important }
  .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; margin-top: 1rem }
  .chart { position: relative; height: 19rem } .note { color: var(--soft); font-size: .8rem; margin: .5rem 0 0 }
`;

const SCRIPT = `
  const byId = (id) => document.getElementById(id);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const localDay = (at) => new Intl.DateTimeFormat('en-CA', { timeZone: tz, dateStyle: 'short' }).format(at);
  const charts = {};
  const state = { days: 90, metric: 'revenue' };
  const whole = (value) => value.toLocaleString('en');
  const money = (cents, currency) => (cents / 100).toLocaleString('en',
    { style: 'currency', currency: currency.toUpperCase(), maximumFractionDigits: 0 });

  async function ask(what, query) {
    const response = await fetch('/dashboard/api/' + what + '?' + new URLSearchParams(query));
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    return answer;
  }

  function draw(id, config) {
    if (charts[id]) charts[id].destroy();
    Chart.defaults.color = colour('--soft');
    Chart.defaults.borderColor = colour('--line');
    Chart.defaults.animation = false;
    charts[id] = new Chart(byId(id), config);
  }

  function tile(label, value, change) {
    const box = document.createElement('div');
    box.className = 'tile';
    const sign = change === null ? '' : change >= 0 ? 'up' : 'down';
    const text = change === null ? 'nothing before' : change > 9 ? 'over ten times the period before' : (change >= 0 ? '+' : '') + (change * 100).toFixed(1) + ' % on the period before';
    for (const [tag, content, kind] of [['span', label, ''], ['strong', value, ''], ['span', text, sign]]) {
      const part = document.createElement(tag);
      part.textContent = content;
      part.className = kind;
      box.append(part);
    }
    return box;
  }

  function showTiles({ current, change, currency }, fraud) {
    const revenue = current.revenue.find((one) => one.currency === currency);
    const others = current.revenue.filter((one) => one.currency !== currency)
      .map((one) => money(one.amountCents, one.currency)).join(', ');
    byId('tiles').replaceChildren(
      tile('Revenue' + (others ? ' (and ' + others + ')' : ''), money(revenue ? revenue.amountCents : 0, currency), change.revenue),
      tile('Clicks', whole(current.clicks), change.clicks),
      tile('Conversions', whole(current.conversions), change.conversions),
      tile('Conversion rate', (current.conversionRate * 100).toFixed(2) + ' %', change.conversionRate),
    );
    const box = tile('Fraud flags', whole(fraud.total), null);
    box.lastChild.textContent = fraud.byRule.filter((one) => one.count).length + ' rules hit';
    byId('tiles').append(box);
  }

  function showTrend({ buckets, currency }) {
    const isMoney = state.metric === 'revenue';
    byId('trend-title').textContent = state.metric[0].toUpperCase() + state.metric.slice(1)
      + (isMoney ? ', ' + currency.toUpperCase() : '') + (state.days > 90 ? ' by week' : ' by day');
    const label = (value) => isMoney ? money(value, currency) : whole(value);
    draw('trend', { type: 'line',
      data: { labels: buckets.map((bucket) => bucket.start), datasets: [{ data: buckets.map((bucket) => bucket.value),
        borderColor: colour('--accent'), backgroundColor: colour('--fill'), fill: true, tension: .25, pointRadius: 0, borderWidth: 2 }] },
      options: { maintainAspectRatio: false, interaction: { mode: 'index', intersect: false },
        plugins: { legend: { display: false }, tooltip: { callbacks: { label: (item) => label(item.parsed.y) } } },
        scales: { x: { ticks: { maxTicksLimit: 9, maxRotation: 0 }, grid: { display: false } }, y: { beginAtZero: true, ticks: { callback: label } } } } });
  }

  function bars(id, labels, values, { tip, scale }) {
    draw(id, { type: 'bar',
      data: { labels, datasets: [{ data: values, backgroundColor: colour('--accent'), borderRadius: 4, maxBarThickness: 34 }] },
      options: { indexAxis: 'y', maintainAspectRatio: false,
        plugins: { legend: { display: false }, tooltip: { callbacks: { label: (item) => tip(item.dataIndex) } } },
        scales: { x: scale, y: { grid: { display: false } } } } });
  }

  function showPartners({ data, currency }) {
    bars('partners', data.map((row) => row.partnerName), data.map((row) => row.attributedRevenueCents), {
      tip: (index) => money(data[index].attributedRevenueCents, currency) + ', ' + whole(data[index].conversions) + ' of ' + whole(data[index].clicks) + ' clicks',
      scale: { ticks: { maxTicksLimit: 5, callback: (value) => money(value, currency) } } });
  }

  function showFunnel({ current }, { byStatus }) {
    const settled = byStatus.approved.count + byStatus.paid.count;
    const steps = [['Clicks', current.clicks], ['Conversions', current.conversions], ['Commissions approved', settled]];
    const share = (index) => index === 0 || steps[index - 1][1] < steps[index][1] ? '' : ' (' + (100 * steps[index][1] / Math.max(1, steps[index - 1][1])).toFixed(1) + ' %)';
    bars('funnel', steps.map(([name, count], index) => [name, whole(count) + share(index)]), steps.map(([, count]) => count), {
      tip: (index) => whole(steps[index][1]) + share(index),
      scale: { type: 'logarithmic', min: 1, ticks: { maxRotation: 0, callback: whole },
        afterBuildTicks: (axis) => { axis.ticks = axis.ticks.filter(({ value }) => Number.isInteger(Math.log10(value))) } } });
  }

  let request = 0;
  async function show() {
    const mine = ++request;
    for (const button of document.querySelectorAll('button')) {
      const { days, metric } = button.dataset;
      button.setAttribute('aria-pressed', String(days === String(state.days) || metric === state.metric));
    }
    const now = Date.now();
    const period = { from: localDay(now - (state.days - 1) * 864e5), to: localDay(now), tz };
    const granularity = state.days > 90 ? 'week' : 'day';
    try {
      const [metrics, trend, partners, fraud, commissions] = await Promise.all([
        ask('metrics', period), ask('trend', { ...period, granularity, metric: state.metric }),
        ask('top-partners', period), ask('fraud-summary', period),
        ask('commissions', { dateFrom: period.from, dateTo: period.to })]);
      if (mine !== request) return;
      showTiles(metrics, fraud); showTrend(trend); showPartners(partners); showFunnel(metrics, commissions);
      byId('status').textContent = period.from + ' to ' + period.to + ', days of ' + tz;
    } catch (error) {
      byId('status').textContent = 'The figures could not be read: ' + error.message;
    }
  }

  document.addEventListener('click', ({ target }) => {
    const { days, metric } = target.dataset;
    if (!days && !metric) return;
    if (days) state.days = Number(days);
    if (metric) state.metric = metric;
    show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
`;
