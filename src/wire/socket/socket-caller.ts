import type {IncomingHttpHeaders} from 'node:http';
import type {AccessServices} from '../../app/access/access-services.ts';
import {type Admission, admit, type Credential} from '../../app/access/identify.ts';
import type {Json} from '../../base/json.ts';
import {authenticationRequired} from '../../domain/errors.ts';
import type {OwnOrigins} from '../http/credentials-origin.ts';
import {cookieCredential, payloadCredential} from './socket-credential.ts';

export interface CallerDeps {
  readonly access: AccessServices;
  readonly origins: OwnOrigins;
}

/** Who a socket comes from: what it has shown, and what that is good for now. */
export class SocketCaller {
  readonly #deps: CallerDeps;
  readonly #headers: IncomingHttpHeaders;
  #credential: Credential | undefined;
  #admission: Admission | undefined;

  /** `shown` is what the handshake showed in headers that its sender set on purpose. */
  constructor(deps: CallerDeps, headers: IncomingHttpHeaders, shown: Credential | undefined) {
    this.#deps = deps;
    this.#headers = headers;
    this.#credential = shown;
  }

  /** Undefined until the socket has shown something that is good. */
  get admission(): Admission | undefined {
    return this.#admission;
  }

  /** Takes what the handshake or the payload shows; refuses when that is nothing, or is not good. */
  async show(payload: Json): Promise<Admission> {
    this.#credential ??= payloadCredential(payload) ?? cookieCredential(this.#headers, this.#deps.origins);
    return this.again();
  }

  /** Looks whether what was shown is still good, and what it allows. */
  async again(): Promise<Admission> {
    if (this.#credential === undefined) throw authenticationRequired();
    this.#admission = await admit(this.#deps.access, this.#credential);
    return this.#admission;
  }
}
