/**
 * A page to try queries in, for a person with a browser: everything in one answer, nothing from elsewhere. Another page
 * can take its place as long as it posts to its own address.
 */
export const queryPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
  body { margin: 0; height: 100vh; display: grid; grid-template-rows: auto 1fr; }
  header { display: flex; gap: .75rem; align-items: center; padding: .5rem .75rem; border-bottom: 1px solid #8884; flex-wrap: wrap; }
  header h1 { font-size: 1rem; margin: 0 auto 0 0; }
  main { display: grid; grid-template-columns: 1fr 1fr; min-height: 0; }
  section { display: grid; grid-template-rows: 3fr auto 1fr; min-height: 0; border-right: 1px solid #8884; }
  textarea, pre { font: 13px/1.45 ui-monospace, monospace; margin: 0; padding: .75rem; border: 0; resize: none; overflow: auto; tab-size: 2; background: transparent; color: inherit; }
  textarea:focus-visible { outline: 2px solid #3b82f6; outline-offset: -2px; }
  label { padding: .25rem .75rem; border-block: 1px solid #8884; opacity: .75; }
  button { font: inherit; padding: .3rem .9rem; cursor: pointer; }
  input { font: inherit; padding: .25rem .5rem; }
  @media (max-width: 700px) { main { grid-template-columns: 1fr; grid-template-rows: 1fr 1fr; } }
</style>
</head>
<body>
<header>
  <h1>GraphQL</h1>
  <input id="key" type="password" placeholder="API key" autocomplete="off" aria-label="API key">
  <input id="at" placeholder="at: now" size="12" aria-label="Instant to read at">
  <a id="schema" href="/schema.graphql">Schema</a>
  <button id="run" type="button" title="Ctrl+Enter">Run</button>
</header>
<main>
  <section>
    <textarea id="query" spellcheck="false" aria-label="Query">query Example {
  BuiltinTag(first: 10) {
    count
    edges { cursor node { id display_label name { value } } }
    pageInfo { hasNextPage endCursor }
  }
}</textarea>
    <label for="variables">Variables</label>
    <textarea id="variables" spellcheck="false">{}</textarea>
  </section>
  <pre id="result" aria-live="polite"></pre>
</main>
<script>
  const at = id => document.getElementById(id);
  const branch = decodeURIComponent(location.pathname.replace(/^\\/graphql\\/?/, ''));
  if (branch) at('schema').href += '?branch=' + encodeURIComponent(branch);
  async function run() {
    at('run').disabled = true;
    try {
      const headers = {'content-type': 'application/json', accept: 'application/json'};
      if (at('key').value) headers['x-service-key'] = at('key').value;
      const url = location.pathname + (at('at').value ? '?at=' + encodeURIComponent(at('at').value) : '');
      const variables = JSON.parse(at('variables').value || '{}');
      const body = JSON.stringify({query: at('query').value, variables});
      const answer = await fetch(url, {method: 'POST', headers, body});
      at('result').textContent = JSON.stringify(await answer.json(), null, 2);
    } catch (error) {
      at('result').textContent = String(error);
    } finally {
      at('run').disabled = false;
    }
  }
  at('run').addEventListener('click', run);
  addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  });
</script>
</body>
</html>
`;
