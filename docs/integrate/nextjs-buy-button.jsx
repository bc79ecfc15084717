// app/buy-button.jsx
'use client';

export function BuyButton() {
  async function buy() {
    const clickId = window.__selgeo ? window.__selgeo.getClickId() : null;
    await fetch('/orders', { method: 'POST', body: JSON.stringify({ clickId }) });
  }
  return <button onClick={buy}>Buy</button>;
}
