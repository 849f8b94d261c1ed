// Runs in the browser, after GraphiQL and React: the page has no script of its own, so that it needs no leave for one.

const {React, ReactDOM, GraphiQL, document, location} = /** @type {any} */ (globalThis);

const EXAMPLE = `# Run this with Ctrl+Enter.
# The page asks as whoever is logged in with this browser.
# To ask as somebody else, put under Headers below:
#   {"X-SERVICE-KEY": "<an API key>"}

query Example {
  ServiceInfo {
    version
  }
  BuiltinTag(first: 10) {
    count
    edges {
      node {
        id
        display_label
        name {
          value
        }
      }
    }
  }
}
`;

/**
 * @param {{query: string, variables?: unknown, operationName?: string | null}} asked
 * @param {{headers?: Record<string, string>}} [options]
 */
async function ask(asked, {headers = {}} = {}) {
  const posted = await fetch(location.href, {
    method: 'POST',
    headers: {accept: 'application/json', 'content-type': 'application/json', ...headers},
    body: JSON.stringify(asked),
  });
  const answer = posted.status === 401 ? ((await askAnonymously(asked, headers)) ?? posted) : posted;
  return answer.json();
}

/**
 * Whoever is nobody may still read with GET, where the service allows it.
 *
 * @param {{query: string, variables?: unknown, operationName?: string | null}} asked
 * @param {Record<string, string>} headers
 */
async function askAnonymously({query, variables, operationName}, headers) {
  const url = new URL(location.href);
  url.searchParams.set('query', query);
  url.searchParams.set('variables', JSON.stringify(variables ?? {}));
  url.searchParams.set('operationName', operationName ?? '');
  const answer = await fetch(url, {headers: {accept: 'application/json', ...headers}});
  return answer.ok ? answer : undefined;
}

ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {fetcher: ask, defaultQuery: EXAMPLE, shouldPersistHeaders: false}),
);
