/** The shop's page: the tag, and a form that carries the click. */
export const page = ({ apiUrl, publicKey }) => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><title>A subscription</title><link rel="icon" href="data:,">
<script async src="${apiUrl}/v1/selgeo.js" data-merchant="${publicKey}" data-keep></script>
<h1>Coffee every month, $29</h1>
<form action="/orders" method="post"><input type="hidden" name="click_id"><button>Buy</button></form>
<script>
  (window.__selgeoQueue = window.__selgeoQueue || []).push(function (selgeo) {
    selgeo.ready(function (clickId) {
      document.querySelector('[name=click_id]').value = clickId || '';
    });
  });
</script>
</html>`;
