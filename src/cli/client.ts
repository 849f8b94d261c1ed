import {CLI_EXIT, CommandFailed} from './exit-codes.ts';

export interface ClientOptions {
  readonly address: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
}

export type Answer = Readonly<Record<string, unknown>>;

/** The public interface of a service, for commands. Every refusal becomes a `CommandFailed`. */
export class Client {
  readonly #options: ClientOptions;
  #headers: Promise<Readonly<Record<string, string>>> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async get(path: string): Promise<Answer> {
    return (await this.#accepted('GET', path)).json() as Promise<Answer>;
  }

  async post(path: string, body?: unknown): Promise<Answer> {
    return (await this.#accepted('POST', path, body)).json() as Promise<Answer>;
  }

  /** The answer as it arrives, for what is too large to hold. */
  stream(path: string): Promise<Response> {
    return this.#accepted('POST', path);
  }

  /** What the operation answers; any error in it is a failure. */
  async graphql(query: string, variables: object = {}, branch = ''): Promise<Answer> {
    const {data, errors} = await this.graphqlAnswer(query, variables, branch);
    if (errors !== undefined) throw new CommandFailed(CLI_EXIT.failed, messagesOf({errors}));
    return data as Answer;
  }

  async graphqlAnswer(query: string, variables: object = {}, branch = '', at?: string): Promise<Answer> {
    const path = branch === '' ? '/graphql' : `/graphql/${encodeURIComponent(branch)}`;
    const when = at === undefined ? '' : `?at=${encodeURIComponent(at)}`;
    return this.post(path + when, {query, variables});
  }

  async #accepted(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await this.#fetch(method, path, await this.#credentials(), body);
    if (answer.ok) return answer;
    throw new CommandFailed(CLI_EXIT.failed, `${messagesOf(await bodyOf(answer))} (${answer.status})`);
  }

  #credentials(): Promise<Readonly<Record<string, string>>> {
    this.#headers ??= this.#logIn();
    return this.#headers;
  }

  async #logIn(): Promise<Readonly<Record<string, string>>> {
    const {token, username, password} = this.#options;
    if (token !== undefined) return {'x-service-key': token};
    if (username === undefined) return {};
    const answer = await this.#fetch('POST', '/api/auth/login', {}, {username, password: password ?? ''});
    const body = await bodyOf(answer);
    if (!answer.ok) throw new CommandFailed(CLI_EXIT.failed, messagesOf(body));
    return {authorization: `Bearer ${String(body.access_token)}`};
  }

  async #fetch(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Response> {
    const {address} = this.#options;
    try {
      return await fetch(address.replace(/\/+$/, '') + path, {
        method,
        headers: {...headers, ...(body === undefined ? {} : {'content-type': 'application/json'})},
        ...(body === undefined ? {} : {body: JSON.stringify(body)}),
      });
    } catch (error) {
      const why = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      const message = `No service answers at ${address}${why}`;
      throw new CommandFailed(CLI_EXIT.unreachable, message, {cause: error});
    }
  }
}

async function bodyOf(answer: Response): Promise<Answer> {
  try {
    return (await answer.json()) as Answer;
  } catch {
    return {errors: [answer.statusText]};
  }
}

/** Errors are texts where nobody is known, and objects with a message elsewhere. */
function messagesOf({errors}: Answer): string {
  const list = Array.isArray(errors) ? (errors as unknown[]) : [];
  const messages = list.map(each =>
    typeof each === 'string' ? each : String((each as {readonly message?: unknown}).message),
  );
  return messages.length === 0 ? 'The service refused' : messages.join('\n');
}
