import {connect, createServer, type Socket} from 'node:net';

/** A way to the server that breaks where a test says. */
export interface InterruptingProxy {
  readonly port: number;
  /** The next time that a client says the word, the server hears it and the client hears nothing more. */
  dropAnswersAfter(word: string): void;
  /** The next time that a client says the word, the server does not hear it, nor anything after it. */
  dropRequestsFrom(word: string): void;
  /** From now on the server is no longer heard on connections on which the word was said, which stay open. */
  muteConnectionsThatSaid(word: string): void;
  /** Ends connections on which the word was said, and every one on which it is said from now on. */
  dropConnectionsThatSaid(word: string): void;
  allowAll(): void;
  /** Leads to another server from now on; all connections end. */
  leadTo(serverPort: number): void;
  close(): Promise<void>;
}

type Rule = {readonly is: 'answers' | 'requests' | 'connections'; readonly word: string};

export async function interrupting(firstPort: number): Promise<InterruptingProxy> {
  let serverPort = firstPort;
  let rule: Rule | undefined;
  const pairs = new Set<{readonly client: Socket; readonly server: Socket; said: string; isMuted: boolean}>();
  const proxy = createServer(client => {
    const server = connect(serverPort, '127.0.0.1');
    const pair = {client, server, said: '', isMuted: false};
    pairs.add(pair);
    const end = () => {
      client.destroy();
      server.destroy();
      pairs.delete(pair);
    };
    for (const socket of [client, server]) {
      socket.on('error', end);
      socket.on('close', end);
      socket.setNoDelay(true);
    }
    // Statements are named after they were parsed: the name that a word was given stands for it from then on.
    const names = new Map<string, string>();
    client.on('data', chunk => {
      const text = chunk.toString('latin1');
      pair.said += text;
      for (const [, name, word] of text.matchAll(/(s\d+)\0(COMMIT|LISTEN)/g)) names.set(word!, name!);
      const says = (word: string) =>
        text.includes(word) || (names.has(word) && text.includes(`\0${names.get(word)}\0`));
      if (rule !== undefined && says(rule.word)) {
        const {is} = rule;
        if (is !== 'connections') rule = undefined;
        if (is !== 'answers') return end();
        pair.isMuted = true;
        // The server has everything that was said, and does it, before it notices that nobody listens.
        server.write(chunk, () => server.end());
        server.once('close', end);
        return;
      }
      server.write(chunk);
    });
    server.on('data', chunk => {
      if (!pair.isMuted) client.write(chunk);
    });
  });
  const port = await new Promise<number>(resolve => {
    proxy.listen(0, '127.0.0.1', () => resolve((proxy.address() as {port: number}).port));
  });
  return {
    port,
    dropAnswersAfter: word => {
      rule = {is: 'answers', word};
    },
    dropRequestsFrom: word => {
      rule = {is: 'requests', word};
    },
    muteConnectionsThatSaid(word) {
      for (const pair of pairs) if (pair.said.includes(word)) pair.isMuted = true;
    },
    dropConnectionsThatSaid(word) {
      rule = {is: 'connections', word};
      for (const pair of pairs) if (pair.said.includes(word)) pair.client.destroy();
    },
    allowAll() {
      rule = undefined;
    },
    leadTo(next) {
      serverPort = next;
      for (const {client} of pairs) client.destroy();
    },
    async close() {
      for (const {client, server} of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise(resolve => proxy.close(resolve));
    },
  };
}
