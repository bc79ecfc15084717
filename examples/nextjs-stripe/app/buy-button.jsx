'use client';

export function BuyButton() {
  async function buy() {
    // Null for a visitor whom nobody sent: the checkout is the same.
    const clickId = window.__selgeo ? window.__selgeo.getClickId() : null;
    const answer = await fetch('/checkout', { method: 'POST', body: JSON.stringify({ clickId }) });
    const { url } = await answer.json();
    window.location.assign(url);
  }
  return <button onClick={buy}>Buy</button>;
}
