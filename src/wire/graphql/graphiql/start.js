// Runs in the browser, after GraphiQL and React: the page has no script of its own, so that it needs no leave for one.

const {React, ReactDOM, GraphiQL, WebSocket, document, location} = /** @type {any} */ (globalThis);

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
 * @param {{headers?: Record<string, string>, documentAST?: any}} [options]
 */
async function ask(asked, {headers = {}, documentAST} = {}) {
  if (isSubscription(asked, documentAST)) return follow(asked, headers);
  const posted = await fetch(location.href, {
    method: 'POST',
    headers: {accept: 'application/json', 'content-type': 'application/json', ...headers},
    body: JSON.stringify(asked),
  });
  const answer = posted.status === 401 ? ((await askAnonymously(asked, headers)) ?? posted) : posted;
  return answer.json();
}

/**
 * @param {{operationName?: string | null}} asked
 * @param {any} document
 */
function isSubscription({operationName}, document) {
  const operations = (document?.definitions ?? []).filter(
    (/** @type {any} */ each) => each.kind === 'OperationDefinition',
  );
  const wanted = operations.find(
    (/** @type {any} */ each) => !operationName || each.name?.value === operationName,
  );
  return wanted?.operation === 'subscription';
}

/**
 * Everything that a subscription yields, until the person stops it: then its socket is closed at once, and not when
 * the next thing happens.
 *
 * @param {{query: string, variables?: unknown, operationName?: string | null}} asked
 * @param {Record<string, string>} headers
 */
function follow(asked, headers) {
  const url = new URL(location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  const socket = new WebSocket(url, 'graphql-transport-ws');
  const inbox = new Inbox();
  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({type: 'connection_init', payload: headers})),
  );
  socket.addEventListener('message', (/** @type {any} */ {data}) => inbox.put(JSON.parse(data)));
  socket.addEventListener('close', (/** @type {any} */ {code, reason}) =>
    inbox.put({type: 'closed', payload: [{message: `The socket was closed: ${code} ${reason}`}]}),
  );
  const told = bodiesOf(socket, inbox, asked);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => told.next(),
    async return() {
      socket.close();
      return {done: true, value: undefined};
    },
  };
}

class Inbox {
  /** @type {any[]} */
  #messages = [];
  #wake = () => {};

  /** @param {any} message */
  put(message) {
    this.#messages.push(message);
    this.#wake();
  }

  async take() {
    while (this.#messages.length === 0) {
      await new Promise(resolve => {
        this.#wake = () => resolve(undefined);
      });
    }
    return this.#messages.shift();
  }
}

/**
 * @param {any} socket
 * @param {Inbox} inbox
 * @param {{query: string, variables?: unknown, operationName?: string | null}} asked
 */
async function* bodiesOf(socket, inbox, asked) {
  for (;;) {
    const {type, payload} = await inbox.take();
    if (type === 'connection_ack') {
      socket.send(JSON.stringify({type: 'subscribe', id: '1', payload: asked}));
    } else if (type === 'next') {
      yield payload;
    } else if (type === 'error' || type === 'closed') {
      yield {errors: payload};
      break;
    } else if (type === 'complete') {
      break;
    }
  }
  socket.close();
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
